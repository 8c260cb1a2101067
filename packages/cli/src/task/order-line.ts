import { spacedTime } from "../spaced-time.ts";

/** Members of an order that its line shows. */
interface ShownOrder {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly dataset: string;
  readonly status: string;
  readonly price: number;
  readonly startTime: string;
  readonly endTime: string;
}

export function orderLine({ id, name, provider, dataset, status, price, startTime, endTime }: ShownOrder): string {
  const span = `${spacedTime(startTime)} to ${spacedTime(endTime)}`;
  return `${id}  ${status}  ${provider}/${dataset}  ${span}  ${price} credits  ${name}`;
}
