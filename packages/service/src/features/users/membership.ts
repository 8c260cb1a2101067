export interface MembershipRow {
  readonly group_id: string;
  readonly organization_id: string | null;
  readonly is_manager: boolean;
}
