import type { PublishedMap } from "@swath/kernel/publication/publication";
import { mapTitle } from "./map-title.ts";
import { publishedText } from "./published-text.ts";

/** The picture that is shown, and the maps whose objects are. */
export interface Shown {
  readonly picture: PublishedMap | null;
  readonly objects: ReadonlySet<PublishedMap>;
}

/** The first view: the topmost picture, and the objects of maps without a picture. */
export function firstShown(maps: readonly PublishedMap[]): Shown {
  const picture = maps.find((map) => map.picture !== null) ?? null;
  return { picture, objects: new Set(maps.filter((map) => map.objects !== null && map.picture === null)) };
}

/** One picture at a time, and any objects above it. */
export function MapChoice(props: {
  readonly maps: readonly PublishedMap[];
  readonly shown: Shown;
  readonly onChange: (shown: Shown) => void;
}) {
  const { maps, shown, onChange } = props;
  const pictures = maps.filter(({ picture }) => picture !== null);
  const withObjects = maps.filter(({ objects }) => objects !== null);
  const toggle = (map: PublishedMap): void => {
    const objects = new Set(shown.objects);
    if (!objects.delete(map)) objects.add(map);
    onChange({ ...shown, objects });
  };
  return (
    <>
      {pictures.length > 0 && (
        <fieldset class="published-maps">
          <legend>{publishedText.picture}</legend>
          {[...pictures, null].map((map) => (
            <label key={map?.picture ?? ""}>
              <input
                type="radio"
                name="picture"
                checked={shown.picture === map}
                onChange={() => onChange({ ...shown, picture: map })}
              />
              {map === null ? publishedText.noPicture : mapTitle(map)}
            </label>
          ))}
        </fieldset>
      )}
      {withObjects.length > 0 && (
        <fieldset class="published-maps">
          <legend>{publishedText.objects}</legend>
          {withObjects.map((map) => (
            <label key={map.objects}>
              <input type="checkbox" checked={shown.objects.has(map)} onChange={() => toggle(map)} />
              {mapTitle(map)}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
