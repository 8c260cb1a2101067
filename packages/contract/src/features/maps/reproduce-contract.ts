import { Type } from "typebox";
import { definePipeline } from "../../kit/pipeline-operation.ts";

const ReproduceRequest = Type.Object({
  mapId: Type.String({
    description: "signed map ID of a release; it grants access to the map",
    minLength: 1,
    maxLength: 4096,
  }),
});

const Text = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const ChangedInput = Type.Object({
  input: Type.Enum(["algorithm", "map-type", "model", "scene", "software"]),
  id: Type.String(),
  expected: Text("as recorded"),
  got: Text("as it is now; null: gone"),
});

const ReproduceResult = Type.Object(
  {
    outcome: Type.Enum(["equal", "different", "inputs-changed"], {
      description: "inputs-changed: nothing was computed, since an input is gone or another one",
    }),
    expectedSha256: Type.String({ description: "digest of the pixels at the release" }),
    sha256: Text("digest of the pixels computed now; null when nothing was computed"),
    changes: Type.Array(ChangedInput, { description: "inputs that are gone or others; software alone stops nothing" }),
  },
  { title: "ReproduceResult" },
);

export type ReproduceRequest = Type.Static<typeof ReproduceRequest>;
export type ReproduceResult = Type.Static<typeof ReproduceResult>;
export type ChangedInput = Type.Static<typeof ChangedInput>;

export const reproduce = definePipeline({
  path: "/mapsvc/reproduce",
  permissions: ["mapsvc.release"],
  summary: "Compute a map again and compare its pixels",
  description:
    "Computes the map from its recorded inputs, keeps nothing, and compares the digest of the pixels. Costs no " +
    "credits. The map ID grants access to the map.",
  request: ReproduceRequest,
  result: ReproduceResult,
  errors: ["INVALID-MAP-ID", "DATA-NOT-AVAILABLE"],
  work: { maps: () => 10 },
});
