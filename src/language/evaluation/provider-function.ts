import { attributeEntries, type FunctionSchema, type Value as Plain } from "../../schema";
import type { Definition } from "../syntax/functions/definition";
import { FunctionError } from "../syntax/functions/function";
import { fromPlain } from "../values";
import { toPlainAs } from "./body";
import { impliedType } from "./schema-types";

/**
 * The result of a provider's function, or an error. If an argument caused the error, `argument` is the index of this argument.
 */
type FunctionResult =
  | { readonly result: Plain; readonly error?: undefined }
  | { readonly error: { readonly text: string; readonly argument?: number } };

/** Converts a function of a provider to a function that expressions can call. */
export function providerFunction(
  { parameters, returns }: FunctionSchema,
  call: (args: readonly Plain[]) => FunctionResult,
): Definition {
  const { attributes: types } = impliedType(parameters);
  const params = attributeEntries(parameters).map(([name, { presence }]) => {
    const type = types.get(name)!;
    return [name, { type, canBeNull: presence !== "required" }] as const;
  });
  const type = impliedType({ returns }).attributes.get("returns")!;
  return {
    params,
    rest: undefined,
    returns: type,
    refine: {},
    call: (args) => {
      const response = call(params.map(([, one], index) => toPlainAs(one.type, args[index]!)));
      if (response.error === undefined) return fromPlain(response.result, type);
      const { text, argument } = response.error;
      throw new FunctionError(text.replace(/\.$/, ""), argument);
    },
  };
}
