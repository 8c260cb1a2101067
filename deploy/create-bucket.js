// Makes the bucket of SWATH_S3_BUCKET unless it exists; waits a minute for the S3 server.
import { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { setTimeout as pause } from "node:timers/promises";

const WITHIN_MS = 60_000;
const PAUSE_MS = 500;

const client = new S3Client({
  region: "us-east-1",
  endpoint: process.env.SWATH_S3_ENDPOINT,
  forcePathStyle: true,
  credentials: {
    accessKeyId: process.env.SWATH_S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: process.env.SWATH_S3_SECRET_ACCESS_KEY ?? "",
  },
});
const Bucket = process.env.SWATH_S3_BUCKET;
const untilMs = performance.now() + WITHIN_MS;
for (;;) {
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
    console.log(`made the bucket ${Bucket}`);
    break;
  } catch (error) {
    if (error instanceof BucketAlreadyOwnedByYou) break;
    const isRefusal = (error.$metadata?.httpStatusCode ?? 500) < 500;
    if (isRefusal || performance.now() > untilMs) throw error;
    await pause(PAUSE_MS);
  }
}
