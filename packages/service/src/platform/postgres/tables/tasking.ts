import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Whole } from "../whole-column.ts";

/** Row types of migrations 0033 and 0063. Columns of JSON are text. */
export interface TaskingTables {
  tasking_elements: {
    elements_key: GeneratedAlways<number>;
    catalogue_number: number;
    name: string;
    epoch: Date;
    /** JSON of an element set. */
    elements: string;
    format: string;
    digest: string;
    imported_by: string;
    imported_at: Date;
  };
  tasking_contracts: {
    id: string;
    name: string;
    provider: string;
    /** Null: of every group. */
    group_id: string | null;
    starts_at: Date;
    ends_at: Date;
    is_default: boolean;
    /** JSON of the lists of the record. */
    terms: string;
    created_at: Date;
    updated_at: Date;
  };
  tasking_windows: {
    window_id: string;
    user_id: string;
    group_id: string;
    provider: string;
    dataset: string;
    /** JSON of the request that the window answers. */
    parameters: string;
    /** JSON of the buffered geometry. */
    geometry: string;
    window_start: Date;
    window_end: Date;
    /** JSON of the window as answered. */
    document: string;
    /** JSON of what the provider needs to take an order. */
    offer: string;
    area_m2: Whole;
    price_micro: Whole;
    created_at: Date;
    expires_at: Date;
  };
  tasking_orders: {
    id: string;
    serial: GeneratedAlways<number>;
    /** Counts the changes of its status. */
    version: Generated<number>;
    name: string;
    provider: string;
    dataset: string;
    owner_id: string;
    group_id: string;
    paying_group_id: string;
    window_id: string | null;
    batch_id: string | null;
    /** JSON of {days, count}. */
    recurrence: string | null;
    geometry: string;
    original_geometry: string;
    starts_at: Date;
    ends_at: Date;
    status: string;
    tasking_type: string;
    priority: string | null;
    /** JSON of the request. */
    parameters: string;
    /** JSON of what the provider needs. */
    offer: string;
    contract_id: string | null;
    project_name: string | null;
    analysis_id: string | null;
    max_cloud_cover: number;
    area_m2: Whole;
    price_micro: Whole;
    cancel_cutoff_hours: number;
    /** 0..1 of the price that a cancellation keeps. */
    cancel_fee_share: number;
    /** First planned capture. */
    scheduled_at: Date | null;
    provider_order_id: string | null;
    cancel_requested_at: Date | null;
    /** Digest of user, parameters and window. */
    request_key: string;
    /** JSON of the request as a dialect sent it; null of others. */
    foreign_request: string | null;
    /** Null: the provider is not asked again. */
    poll_due_at: Date | null;
    poll_claimed_until: Date | null;
    poll_failures: Generated<number>;
    created_at: Date;
    updated_at: Date;
  };
  tasking_order_history: {
    order_id: string;
    version: number;
    /** Null for the placing. */
    event: string | null;
    status: string;
    reason_code: string | null;
    reason_text: string | null;
    /** The entry of the credit log. */
    transaction_id: string | null;
    occurred_at: Date;
  };
  tasking_captures: {
    id: string;
    serial: GeneratedAlways<number>;
    order_id: string;
    provider_capture_id: string;
    status: string;
    strip_id: string;
    foreign_scene_types: string[];
    /** JSON of a list of {id, ingestionId, ingestionTime}. */
    ingested_scenes: string;
    cloud_cover: number | null;
    coverage_ratio: number | null;
    off_nadir_deg: number | null;
    /** JSON of the outline. */
    footprint: string | null;
    area_m2: ColumnType<number | null, number | string | null, number | string | null>;
    /** Whether it meets the limits of the order; null before it is assessed. */
    fulfils: boolean | null;
    captured_at: Date;
    created_at: Date;
    updated_at: Date;
  };
  tasking_submissions: {
    order_id: string;
    /** Address of the API. */
    authority: string;
    /** When the order was last sent. */
    sent_at: Date;
    /** Null until the answer is known. */
    provider_order_id: string | null;
    /** Reason of a provider that takes the order never. */
    refusal: string | null;
    cancel_sent_at: Date | null;
  };
  /** Orders that the simulated provider has received. */
  tasking_rehearsals: {
    order_id: string;
    created_at: Date;
    /** No pass before it is booked: another order has taken one. */
    not_before: Date;
    cancelled_at: Date | null;
  };
  /** Passes of simulated satellites that orders have. */
  tasking_bookings: {
    order_id: string;
    attempt: number;
    catalogue_number: number;
    /** Of the priority; a booking of rank 0 gives way to any other. */
    rank: number;
    captured_at: Date;
    /** JSON of the pass. */
    pass: string;
    /** Whether another order has taken the pass. */
    is_taken: Generated<boolean>;
  };
}
