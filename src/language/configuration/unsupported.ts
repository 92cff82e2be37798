import { fail } from "../../diagnostics";
import { notSupported, type Program } from "../syntax/errors";

/**
 * Returns the programs that support a block or argument, by its name. `ofTerraform` contains the names for `terraform plan`,
 * and `others` the names for other programs.
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
 * The blocks and arguments that the embedded engine does not support, by the block that contains them. The names come from
 * Terraform up to 1.16 and OpenTofu up to 1.12.
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

/** The location of a block that uses a feature. */
interface BlockLocation {
  readonly address?: string;
  readonly construct?: string | undefined;
}

/** Throws if a block contains an unsupported block or argument. */
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

/** Throws the error for an unsupported feature, which says what to run instead. */
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
