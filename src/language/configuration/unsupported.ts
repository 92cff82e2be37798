import { fail } from "../../diagnostics";
import { type Program, unsupportedText } from "../syntax/errors";

/** Names of blocks and arguments, with the program that has them. */
type UnsupportedNames = Readonly<Record<string, Program>>;

/**
 * The blocks and arguments of Terraform up to 1.16 and OpenTofu up to 1.12 that the embedded engine does not have,
 * by the block that contains them.
 */
export const UNSUPPORTED = {
  file: {
    module: "terraform plan",
    ephemeral: "terraform plan",
    action: "terraform plan",
    list: "terraform query",
    language: "tofu plan",
  },
  terraform: {
    language: "terraform plan",
    experiments: "terraform plan",
    state_store: "terraform plan",
    provider_meta: "terraform plan",
    encryption: "tofu plan",
  },
  provider: { for_each: "tofu plan", dynamic: "terraform plan", _: "terraform plan" },
  variable: { const: "terraform plan", deprecated: "terraform plan" },
  output: { type: "terraform plan", deprecated: "tofu plan" },
  resource: {
    provisioner: "terraform plan",
    connection: "terraform plan",
    dynamic: "terraform plan",
    _: "terraform plan",
  },
  data: { dynamic: "terraform plan", _: "terraform plan" },
  resourceLifecycle: { destroy: "terraform plan", action_trigger: "terraform plan", enabled: "tofu plan" },
  dataLifecycle: { enabled: "tofu plan" },
  removed: { connection: "terraform plan", provisioner: "terraform plan" },
} as const satisfies Readonly<Record<string, UnsupportedNames>>;

/** Reports the unsupported blocks and arguments of one block, before any request is sent. */
export function refuseUnsupported(
  names: readonly string[],
  block: keyof typeof UNSUPPORTED,
  what: string,
  place: { readonly address?: string; readonly construct?: string | undefined } = {},
): void {
  const unsupported: UnsupportedNames = UNSUPPORTED[block];
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!;
    if (Object.hasOwn(unsupported, name))
      unsupportedFeature(`"${name}" of ${what}`, { ...place, program: unsupported[name]! });
  }
}

/** The error for an unsupported feature, with the alternative. */
export function unsupportedFeature(
  what: string,
  {
    program,
    address,
    construct,
  }: {
    readonly program?: Program;
    readonly address?: string;
    readonly construct?: string | undefined;
  } = {},
): never {
  return fail({
    code: "configuration_unsupported",
    summary: "Not supported by the embedded engine",
    detail: unsupportedText(what, program),
    ...(address !== undefined && { address }),
    ...(construct !== undefined && { construct }),
  });
}
