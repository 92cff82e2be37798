import type { ForHead } from "./for-parser";
import type { Node, Range } from "./syntax";

/** A tokenized template: texts, interpolations and directives in source order. */
export type Part =
  | { readonly kind: "text"; text: string; readonly range: Range }
  | { readonly kind: "interpolation"; readonly node: Node; readonly range: Range }
  | { readonly kind: "if"; readonly condition: Node; readonly range: Range }
  | { readonly kind: "for"; readonly head: ForHead; readonly range: Range }
  | { readonly kind: "else" | "endif" | "endfor" | "end"; readonly range: Range };
