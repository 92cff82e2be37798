import {
  TerraformDataSource,
  type TerraformElement,
  TerraformResource,
  type TerraformResourceConfig,
  TerraformStack,
  Tokenization,
} from "cdktf";
import type { Construct } from "constructs";
import { callerPosition } from "./caller";
import { libraryOf, ownScope } from "./stack-family";

/** The variable of cdktn, set by `steward synth`. */
const DISABLED = "CDKTN_DISABLE_CREATION_STACK";

/** The module of cdktf and cdktn, which the others call through its exports. */
interface StackTraces {
  captureStackTrace?: () => string[];
}

/**
 * Keeps cdktf from recording a whole stack trace for each token, list and block, which only errors of tokens print, if the
 * variable of cdktn for the same is set. It takes a fifth of a synthesis, and more where a loader maps each trace to sources.
 */
export function omitCreationStacks(stackClass: typeof TerraformStack): void {
  if (!["true", "1"].includes(process.env[DISABLED] ?? "")) return;
  try {
    const traces: StackTraces = require(`${libraryOf(stackClass)}/lib/tokens/private/stack-trace`);
    if (traces.captureStackTrace !== undefined) traces.captureStackTrace = () => [];
  } catch {
    // A library that keeps them elsewhere, or an app in one file: synthesis takes longer, and nothing else changes.
  }
}

export { callerPosition } from "./caller";
export { inOwnStack, ownScope } from "./stack-family";

// Before the first construct.
omitCreationStacks(TerraformStack);

type Metadata = TerraformElement["constructNodeMetadata"];

/** A resource whose synthesized metadata contains the file and line of its declaration. */
export class PositionedResource extends TerraformResource {
  readonly #position = callerPosition(PositionedResource);

  constructor(scope: Construct, id: string, config: TerraformResourceConfig) {
    super(ownScope(scope, id), id, config);
  }

  override get terraformMetaArguments(): Record<string, unknown> {
    return withoutUndefined(super.terraformMetaArguments);
  }

  override toTerraform(): unknown {
    return withoutUndefined(super.toTerraform());
  }

  protected override get constructNodeMetadata(): Metadata {
    return withPosition(super.constructNodeMetadata, this.#position);
  }
}

/** A data source whose synthesized metadata contains the file and line of its declaration. */
export class PositionedDataSource extends TerraformDataSource {
  readonly #position = callerPosition(PositionedDataSource);

  constructor(scope: Construct, id: string, config: TerraformResourceConfig) {
    super(ownScope(scope, id), id, config);
  }

  override get terraformMetaArguments(): Record<string, unknown> {
    return withoutUndefined(super.terraformMetaArguments);
  }

  override toTerraform(): unknown {
    return withoutUndefined(super.toTerraform());
  }

  protected override get constructNodeMetadata(): Metadata {
    return withPosition(super.constructNodeMetadata, this.#position);
  }
}

/** Changes the new object in place, and adds a text: cdktf resolves tokens in all of it several times, at a price. */
function withPosition(metadata: Metadata, position: string | undefined): Metadata {
  if (position !== undefined) metadata["metadata"].position = position;
  return metadata;
}

/**
 * A copy without properties that are undefined. cdktf drops them as well, but after it has spelled their names anew, and has
 * searched them for tokens each time that it resolves an element.
 */
function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  // A token may be a plain object.
  if (Tokenization.isResolvable(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) if (one !== undefined) kept[name] = withoutUndefined(one);
  return kept as T;
}
