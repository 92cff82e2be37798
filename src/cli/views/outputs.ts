import type { State } from "../../engine/state/model";
import type { Value } from "../../provider/schema";
import { fieldName } from "./printable";
import { renderValue } from "./values";

/** All outputs, one below the other; sensitive ones hidden. */
export const renderOutputs = (outputs: State["outputs"]): string =>
  Object.entries(outputs)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([name, { value, sensitive }]) =>
        `${fieldName(name)} = ${sensitive ? "<sensitive>" : renderOutput(value)}\n`,
    )
    .join("");

/** One output's value. */
export const renderOutput = (value: Value): string => renderValue(value, { step: 2, margin: 0 });

/** All outputs in the shape of `terraform output -json`: sensitive ones in clear, as there. */
export const outputsJson = (outputs: State["outputs"]) =>
  Object.fromEntries(
    Object.entries(outputs)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { sensitive, type, value }]) => [name, { sensitive, type, value }]),
  );
