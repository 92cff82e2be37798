import type { ForHead } from "./for-parser";
import type { Node, Range } from "./syntax";

/** A template, taken apart: texts, interpolations and directives in the order of the source. */
export type Part =
  | { readonly kind: "text"; text: string; readonly range: Range }
  | { readonly kind: "interpolation"; readonly node: Node; readonly range: Range }
  | { readonly kind: "if"; readonly condition: Node; readonly range: Range }
  | { readonly kind: "for"; readonly head: ForHead; readonly range: Range }
  | { readonly kind: "else" | "endif" | "endfor" | "end"; readonly range: Range };
