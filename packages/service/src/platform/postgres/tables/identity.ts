import type { ColumnType, Generated } from "kysely";

/** `jsonb`: written as JSON text, read as a value. */
type Json = ColumnType<Record<string, unknown>, string, string>;

export interface GroupsTable {
  id: string;
  name: string;
  /** Permissions every member holds. */
  permissions: string[];
  /** Null for a group that stands alone. */
  organization_id: Generated<string | null>;
  /** Null: the licence has always been good. */
  license_starts_at: Generated<Date | null>;
  /** Null: the licence never expires. */
  license_expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface UsersTable {
  id: string;
  /** Lower case. */
  email: string;
  name: string;
  type: string;
  /** Null when the user signs in through an external issuer only. */
  password_hash: string | null;
  /** `iss` of the external issuer that the subject belongs to. */
  external_issuer: Generated<string | null>;
  /** `sub` at the external issuer. */
  external_subject: string | null;
  /** When the token was issued whose claims the memberships follow; null: none. */
  external_claims_at: Generated<Date | null>;
  extra_permissions: string[];
  /** Group that pays for areas; the first group when null. */
  accounting: string | null;
  /** Group that pays for tasking; `accounting` when null. */
  tasking_accounting: string | null;
  application_language: Generated<string>;
  default_application: string | null;
  blocked: Generated<boolean>;
  require_mfa: Generated<boolean>;
  created_at: Date;
  updated_at: Date;
  created_by: string | null;
  last_login: Date | null;
  logins_count: Generated<number>;
  /** Raised by a new password; only tokens issued under this value are taken. */
  token_version: Generated<number>;
}

export interface GroupMembersTable {
  user_id: string;
  group_id: string;
  /** Order of the user's groups, from 0. */
  position: number;
  /** Whether the user manages the group. */
  is_manager: Generated<boolean>;
}

export interface SigningKeysTable {
  kid: string;
  algorithm: string;
  private_jwk: Json;
  public_jwk: Json;
  created_at: Date;
  /** Null for the key that signs; a retired key still verifies the tokens it signed. */
  signs_until: Date | null;
}

export interface LoginAttemptsTable {
  /** `account:`, `address:`, `login:` or `logins:` with a subject; see `login-throttle.ts`. */
  subject: string;
  failures: number;
  locked_until: Date;
  updated_at: Date;
}

export interface LoginNetworksTable {
  user_id: string;
  /** As `networkOf` writes it. */
  network: string;
  seen_at: Date;
}

export interface ConsoleSessionsTable {
  id: string;
  user_id: string;
  /** Of the user at the sign-in: another password ends the session. */
  token_version: number;
  /** Whether the user proved one at the sign-in. */
  second_factor: boolean;
  /** SHA-256 of the present secret. */
  secret_hash: Buffer;
  /** Of the secret before; null until the first refresh. */
  previous_hash: Buffer | null;
  /** The present secret, sealed with the previous one. */
  next_sealed: Buffer | null;
  rotated_at: Date;
  created_at: Date;
  expires_at: Date;
}

/** Row types of migrations 0001, 0022 and 0041, with the columns of 0011. */
export interface IdentityTables {
  console_sessions: ConsoleSessionsTable;
  login_networks: LoginNetworksTable;
  group_members: GroupMembersTable;
  groups: GroupsTable;
  login_attempts: LoginAttemptsTable;
  signing_keys: SigningKeysTable;
  users: UsersTable;
}
