import type { Pdf } from "./page.ts";

/** The members of a PNG of pdfkit that its types leave out. */
interface EmbeddedPng {
  embed(pdf: Pdf): void;
  /** Called once the pixels are written as an object of the file. */
  finalize(): void;
}

/**
 * Writes a PNG into the file and waits for its pixels, which pdfkit decodes in the background: objects of pictures that
 * are decoded at once are otherwise in any order, and equal reports have different bytes.
 *
 * @returns the picture, as `pdf.image` takes it
 */
export async function embedPicture(pdf: Pdf, png: Uint8Array): Promise<PDFKit.Mixins.ImageSrc> {
  const picture = (pdf as unknown as { openImage(src: Buffer): EmbeddedPng }).openImage(Buffer.from(png));
  await new Promise<void>((resolve) => {
    const finalize = picture.finalize.bind(picture);
    picture.finalize = () => {
      finalize();
      resolve();
    };
    picture.embed(pdf);
  });
  return picture as unknown as PDFKit.Mixins.ImageSrc;
}
