import { readFileSync } from "node:fs";

/**
 * The fields of a `stat` of Linux after the name, which may hold spaces: the state is the first, field 3 of proc(5).
 *
 * @param path of a process or a thread below `/proc`, such as `self` or `self/task/12`
 * @throws {Error} when there is none
 */
export function statFields(path: string): readonly string[] {
  const stat = readFileSync(`/proc/${path}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
