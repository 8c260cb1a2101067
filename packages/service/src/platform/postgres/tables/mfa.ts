export interface SecondFactorsTable {
  user_id: string;
  /** Encrypted. */
  secret: Buffer;
  /** Number of the 30 s step whose code was used last. */
  last_step: number;
  recovery_hashes: Buffer[];
  confirmed_at: Date;
}

export interface SecondFactorEnrolmentsTable {
  user_id: string;
  /** Encrypted. */
  secret: Buffer;
  recovery_hashes: Buffer[];
  created_at: Date;
}

/** Row types of migration 0012: second factors. */
export interface MfaTables {
  second_factor_enrolments: SecondFactorEnrolmentsTable;
  second_factors: SecondFactorsTable;
}
