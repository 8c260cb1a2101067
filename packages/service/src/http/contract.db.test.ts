import { contract } from "@swath/contract";
import { contractConformance } from "./contract.conformance.ts";
import { sampleContract } from "./sample-contract.ts";

contractConformance("the sample contract", sampleContract);
contractConformance("the service's contract", contract);
