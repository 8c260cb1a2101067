import { PUBLICATION_FILE, PUBLICATION_FORMAT, type Publication } from "@swath/kernel/publication/publication";

/** Reads the document beside the page. @throws {Error} when it is missing or of another kind */
export async function loadPublication(): Promise<Publication> {
  const answer = await fetch(PUBLICATION_FILE);
  if (!answer.ok) throw new Error(`${PUBLICATION_FILE}: HTTP ${answer.status}`);
  const read = (await answer.json()) as Partial<Publication>;
  if (read.format !== PUBLICATION_FORMAT || read.version !== 1 || !Array.isArray(read.maps)) {
    throw new Error(`${PUBLICATION_FILE}: expected the format ${PUBLICATION_FORMAT}, version 1`);
  }
  return read as Publication;
}
