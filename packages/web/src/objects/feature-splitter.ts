/** Divides the text of a FeatureCollection, as it comes, into the texts of its features. */
export interface FeatureSplitter {
  /** Returns the features that end in this part of the text. */
  push(part: string): readonly string[];
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
const MEMBER = "features";

/** A feature is an object in the array `features` of the outermost object. */
const FEATURE_DEPTH = 3;

export function createFeatureSplitter(): FeatureSplitter {
  /** Text of a feature or of a name that has begun. */
  let kept = "";
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** The last string directly in the outermost object: the name of the member that follows. */
  let name = "";
  let isInFeatures = false;
  return {
    push(part) {
      const features: string[] = [];
      let start = 0;
      for (let at = 0; at < part.length; at += 1) {
        const code = part.charCodeAt(at);
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (code === BACKSLASH) isEscaped = true;
          else if (code === QUOTE) {
            isInString = false;
            if (depth === 1) name = kept + part.slice(start, at);
            if (depth === 1) kept = "";
          }
        } else if (code === QUOTE) {
          isInString = true;
          if (depth === 1) start = at + 1;
        } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
          depth += 1;
          if (depth === FEATURE_DEPTH - 1) isInFeatures = name === MEMBER;
          if (depth === FEATURE_DEPTH && isInFeatures) start = at;
        } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
          if (depth === FEATURE_DEPTH && isInFeatures) {
            features.push(kept + part.slice(start, at + 1));
            kept = "";
          }
          depth -= 1;
        }
      }
      const isOpen = (depth >= FEATURE_DEPTH && isInFeatures) || (depth === 1 && isInString);
      kept = isOpen ? kept + part.slice(start) : "";
      return features;
    },
  };
}
