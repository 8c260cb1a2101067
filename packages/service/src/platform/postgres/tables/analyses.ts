import type { GeneratedAlways } from "kysely";

/** Row types of migration 0034. */
export interface AnalysisTables {
  analyses: {
    id: string;
    serial: GeneratedAlways<string>;
    owner_id: string;
    version: number;
    path: string;
    is_public: boolean;
    /** JSON of the members that the service does not look into. */
    document: string;
    created_at: Date;
    opened_at: Date;
  };
  analysis_users: {
    analysis_id: string;
    role: "editor" | "viewer" | "watchdog";
    user_id: string;
    position: number;
  };
  analysis_groups: {
    analysis_id: string;
    role: "editor" | "viewer";
    group_id: string;
    position: number;
  };
  analysis_frames: {
    id: string;
    analysis_id: string;
    position: number;
    scene_id: string;
    /** JSON of the scene as it was when the frame was made. */
    scene: string;
    only_ingested: boolean;
    /** JSON of results and actions. */
    outcome: string;
    /** Number of map types with a map. */
    finished: number;
  };
  /** Pipelines that add maps. */
  analysis_runs: {
    pipeline_id: string;
    analysis_id: string;
  };
}
