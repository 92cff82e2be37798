import { TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";

/** Where classes compiled by jsii have their full name, such as `cdktf.TerraformStack`. */
const RUNTIME_TYPE = Symbol.for("jsii.rtti");
const STACK = ".TerraformStack";
const WRONG_PACKAGE = "wrong_package";

/** Libraries with a package of this provider. A pattern, as packing replaces the name of the library in this text. */
const isPublishedFor = (library: string): boolean => /^cdkt[fn]$/.test(library);

/**
 * Returns the scope, if its stack comes from the library that this package imports. The libraries mark their constructs with the same
 * symbols, so a construct in a stack of another one would only fail at synthesis, with an error that does not name it.
 *
 * @param subject what is used in the stack, for the error
 * @throws Error with the code `wrong_package` if the stack comes from the other library
 */
export function inOwnStack<S extends IConstruct>(scope: S, subject: string): S {
  const stack: IConstruct | undefined = scope.node.scopes.findLast((one) => TerraformStack.isStack(one));
  const own = libraryOf(TerraformStack);
  const other = stack === undefined ? own : libraryOf(stack.constructor);
  if (stack === undefined || other === undefined || other === own || !isPublishedFor(other)) return scope;
  throw Object.assign(
    new Error(
      `${subject} is for stacks of ${own}, but its stack "${stack.node.path}" is a TerraformStack of ${other}, which can't synthesize ` +
        `it. Install ${other}-provider-steward and import from "${other}-provider-steward", or import App and TerraformStack ` +
        `from "${own}".`,
    ),
    { code: WRONG_PACKAGE },
  );
}

/** Like `inOwnStack`, for the scope of a new construct. */
export const ownScope = (scope: Construct, id: string): Construct =>
  inOwnStack(scope, `[${[scope.node.path, id].filter((part) => part !== "").join("/")}]`);

/** The library that a class of stacks comes from: apps extend its TerraformStack. */
export function libraryOf(stackClass: unknown): string | undefined {
  for (let one = stackClass; typeof one === "function"; one = Object.getPrototypeOf(one)) {
    const { fqn } = (one as { readonly [RUNTIME_TYPE]?: { readonly fqn: string } })[RUNTIME_TYPE] ?? {};
    if (fqn?.endsWith(STACK)) return fqn.slice(0, -STACK.length);
  }
  return undefined;
}
