import { fail } from "../../diagnostics";
import { notSupported, type Program } from "../syntax/errors";

/**
 * Returns the program that supports each block or argument, by name. The names in `ofTerraform` are for `terraform plan`.
 * `others` maps names to other programs.
 */
const unsupported = (
  ofTerraform: string,
  others: Readonly<Record<string, Program>> = {},
): ReadonlyMap<string, Program> =>
  new Map([
    ...ofTerraform.split(" ").map((name): [string, Program] => [name, "terraform plan"]),
    ...Object.entries(others),
  ]);

/**
 * The blocks and arguments that the embedded engine does not support, by the block around them. The list covers Terraform up to
 * 1.16 and OpenTofu up to 1.12.
 */
export const UNSUPPORTED = {
  file: unsupported("module ephemeral action", { list: "terraform query", language: "tofu plan" }),
  terraform: unsupported("language experiments state_store provider_meta", { encryption: "tofu plan" }),
  provider: unsupported("dynamic _", { for_each: "tofu plan" }),
  variable: unsupported("const deprecated"),
  output: unsupported("type", { deprecated: "tofu plan" }),
  resource: unsupported("provisioner connection dynamic _"),
  data: unsupported("dynamic _"),
  resourceLifecycle: unsupported("destroy action_trigger", { enabled: "tofu plan" }),
  dataLifecycle: new Map<string, Program>([["enabled", "tofu plan"]]),
  removed: unsupported("connection provisioner"),
} as const;

/** The location of a block with an unsupported feature. */
interface BlockLocation {
  readonly address?: string;
  readonly construct?: string | undefined;
}

/** Throws an error if one of the names in a block is an unsupported block or argument. */
export function refuseUnsupported(
  names: readonly string[],
  block: keyof typeof UNSUPPORTED,
  what: string,
  place: BlockLocation = {},
): void {
  for (const name of names) {
    const program = UNSUPPORTED[block].get(name);
    if (program !== undefined) unsupportedFeature(`"${name}" of ${what}`, { ...place, program });
  }
}

/** Throws the error for an unsupported feature. The error names the program to run instead. */
export function unsupportedFeature(
  what: string,
  { program, address, construct }: BlockLocation & { readonly program?: Program } = {},
): never {
  return fail({
    code: "configuration_unsupported",
    summary: "Not supported by the embedded engine",
    ...notSupported(what, program),
    ...(address !== undefined && { address }),
    ...(construct !== undefined && { construct }),
  });
}
