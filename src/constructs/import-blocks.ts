import { TerraformElement, TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { ownScope } from "./position";

/**
 * Import blocks for resources below a scope. The next apply records the live objects in the state and does not change these
 * objects on the platform. After that apply, delete this construct. Unlike `importFrom` of cdktf, this construct works without
 * Terraform on the machine.
 *
 * @example
 * new ImportBlocks(this, "imports", {
 *   "web-shop/environment-production": "acme/web-shop:production",
 * });
 */
export class ImportBlocks extends TerraformElement {
  readonly #scope: Construct;
  readonly #ids: Readonly<Record<string, string>>;

  /**
   * @param ids the import IDs, by the path of the construct below `scope`, such as
   * `acme/environments[42:production]` for an instance of a fleet
   */
  constructor(scope: Construct, id: string, ids: Readonly<Record<string, string>>) {
    super(ownScope(scope, id), id);
    this.#scope = scope;
    this.#ids = ids;
  }

  /**
   * Returns the import blocks as Terraform JSON; an empty object if there are no ids. @throws Error if a path leads to no
   * resource
   */
  override toTerraform(): { readonly import?: readonly { readonly to: string; readonly id: string }[] } {
    const blocks = Object.entries(this.#ids).map(([path, id]) => ({ to: this.#addressOf(path), id }));
    return blocks.length === 0 ? {} : { import: blocks };
  }

  override toHclTerraform() {
    const simple = (value: string, storageClassType: string) => ({
      value,
      type: "simple",
      storageClassType,
      isBlock: false,
    });
    return {
      import: (this.toTerraform().import ?? []).map(({ to, id }) => ({
        to: simple(to, "reference"),
        id: simple(id, "string"),
      })),
    };
  }

  #addressOf(path: string): string {
    const [, place = path, key] = /^(.*?)\[(.*)\]$/s.exec(path) ?? [];
    let found: Construct | undefined = this.#scope;
    for (const name of place.split("/")) found = found?.node.tryFindChild(name) as Construct | undefined;
    if (found === undefined || !TerraformResource.isTerraformResource(found)) {
      throw new Error(
        `[${this.node.path}] imports "${path}", which is not a resource below ${this.#scope.node.path}. ` +
          "Remove its line, or write the current path of the resource.",
      );
    }
    const instance = key === undefined ? "" : `[${JSON.stringify(key)}]`;
    return `${found.terraformResourceType}.${found.friendlyUniqueId}${instance}`;
  }
}
