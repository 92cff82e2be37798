// The services behind the shop.
import { TerraformStack } from "cdktf";
import { ProjectSettings, StewardProvider } from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { service } from "./standard";

const SERVICES = [
  ...["cart", "catalog", "checkout", "customers", "inventory", "orders"],
  ...["pricing", "promotions", "returns", "search", "shipping"],
];

export class Commerce extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // STEWARD_BASE_URL and STEWARD_TOKEN say where, and who

    for (const name of SERVICES) new ProjectSettings(this, name, service(`acme/commerce/${name}`));

    const payments = service("acme/commerce/payments");
    new ProjectSettings(this, "payments", {
      ...payments,
      allowlist: { targetProjects: ["acme/platform/deploy-tools", "acme/commerce/checkout"] },
    });
  }
}
