import { opticalSensors } from "../tasking-sensors.ts";

export const pleiadesSensors = opticalSensors({
  maxOffNadirDeg: 30,
  swathKm: 20,
  latencyHours: 6,
  satellites: [
    { name: "PLEIADES 1A", catalogueNumber: 38_012, meanMotionRevPerDay: 14.585 },
    { name: "PLEIADES 1B", catalogueNumber: 39_019, meanMotionRevPerDay: 14.585 },
  ],
});

export const pleiadesNeoSensors = opticalSensors({
  maxOffNadirDeg: 30,
  swathKm: 14,
  latencyHours: 4,
  satellites: [
    { name: "PLEIADES NEO 3", catalogueNumber: 48_268, meanMotionRevPerDay: 14.817 },
    { name: "PLEIADES NEO 4", catalogueNumber: 49_070, meanMotionRevPerDay: 14.817 },
  ],
});

export const spotSensors = opticalSensors({
  maxOffNadirDeg: 30,
  swathKm: 60,
  latencyHours: 6,
  satellites: [{ name: "SPOT 6", catalogueNumber: 38_755, meanMotionRevPerDay: 14.585 }],
});
