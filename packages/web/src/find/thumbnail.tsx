import { useEffect, useRef, useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";

/** The small picture of a scene, read when its row comes into sight; a scene without one has an empty place. */
export function Thumbnail({ sceneId }: { readonly sceneId: string }) {
  const { calls } = useConsole();
  const place = useRef<HTMLSpanElement>(null);
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    let made: string | null = null;
    const load = async (): Promise<void> => {
      const query = { scene_id: sceneId };
      const answer = await calls.file("/imagery/thumbnail", { params: {}, query, signal: abort.signal });
      made = URL.createObjectURL(await answer.blob());
      setAddress(made);
    };
    const sight = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      sight.disconnect();
      load().catch(() => {});
    });
    if (place.current !== null) sight.observe(place.current);
    return () => {
      sight.disconnect();
      abort.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [sceneId]);
  return (
    <span ref={place} class="thumbnail">
      {address !== null && <img src={address} alt="" width="56" height="56" />}
    </span>
  );
}
