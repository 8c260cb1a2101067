export interface ApiKeysTable {
  /** Public part of the key. */
  id: string;
  user_id: string;
  name: string;
  /** SHA-256 of the secret part. */
  secret_hash: Buffer;
  permissions: string[];
  /** Whether the token that made the key had a second factor behind it. */
  second_factor: boolean;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
}

/** Row types of migration 0012: API keys. */
export interface ApiKeyTables {
  api_keys: ApiKeysTable;
}
