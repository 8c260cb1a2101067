/** Row types of migration 0027. */
export interface ServiceProbeTables {
  service_probe: {
    id: number;
    probed_at: Date;
  };
}
