import { cpSync } from "node:fs";
import path from "node:path";
import { spellings } from "./configurations";
import type { Workshop } from "./workshop";

// Writes the apps, fleets, adoptions and reports of a release, and its states with invitations whose addresses have capital
// letters.

const CONFIG = ["--config", "."];
const ONE_BY_ONE = ["--auto-approve", "--parallelism", "1"];
const APP = path.join(__dirname, "estate-app.js");

/** Writes the states, plans and reports of an app with a fleet and two more stacks. */
export async function makeEstate(workshop: Workshop, folder: string): Promise<void> {
  workshop.linkPackages();
  cpSync(APP, path.join(workshop.folder, "main.js"));
  for (const name of ["runs", "shards"]) workshop.makeFolder(name);
  workshop.write("cdktf.json", { language: "typescript", app: "node main.js" });
  await workshop.succeed([
    "plan",
    "--stack",
    "fleet",
    "--report",
    "plan.json",
    "--out-approval",
    "approved.json",
  ]);
  await workshop.succeed(["apply", ...ONE_BY_ONE, "--report", "apply.json"]);
  await workshop.byHand("PATCH", "/projects/101/job_token_scope", { enabled: false });
  await workshop.byHand("DELETE", "/projects/102/protected_environments/production");
  await workshop.byHand("POST", "/projects/101/protected_environments", {
    name: "by-hand",
    deploy_access_levels: [{ access_level: 30 }],
  });
  const drift = ["drift", "--coverage", "--access"];
  await workshop.found(2, [...drift, "--report", "runs/1.json"]);
  // Report formats that other people's programs read.
  const formats = ["drift.md", "drift.html", "drift.xml", "drift.widget.json"];
  await workshop.found(2, [...drift, ...formats.flatMap((name) => ["--report", name])]);
  for (const part of [1, 2])
    await workshop.run(
      process.execPath,
      [workshop.program, "drift", "--shard", `${part}/2`, "--report", `shards/${part}.json`],
      ".",
      {},
    );
  await workshop.byHand("PATCH", "/projects/101/job_token_scope", { enabled: true });
  await workshop.found(2, [...drift, "--since", "runs/1.json", "--report", "runs/2.json"], [0, 2]);
  workshop.keep(
    [
      ...["main.js", "cdktf.json", "plan.json", "approved.json", "apply.json"],
      ...["runs", "shards", ...formats],
      ...["fleet", "groups", "shop"].map((stack) => `terraform.${stack}.tfstate`),
    ],
    folder,
  );
}

/** Writes live settings as `adopt` does: as an app and as JSON of Terraform. Keeps the states after the imports. */
export async function makeAdopted(workshop: Workshop, folder: string): Promise<void> {
  workshop.linkPackages();
  await workshop.byHand("POST", "/projects/101/invitations", { email: "ada@example.com", access_level: 30 });
  await workshop.byHand("POST", "/projects/101/protected_environments", {
    name: "production",
    deploy_access_levels: [{ access_level: 40 }, { access_level: 60 }],
  });
  await workshop.byHand("POST", "/projects/102/job_token_scope/allowlist", { target_project_id: 103 });
  await workshop.byHand("POST", "/projects/102/registry/protection/repository/rules", {
    repository_path_pattern: "acme/p2/*",
    minimum_access_level_for_push: "owner",
  });
  await workshop.succeed(["adopt", "acme/p1", "acme/p2", "--include-emails", "--out", "app"]);
  await workshop.succeed(["apply", ...ONE_BY_ONE], "app");
  await workshop.succeed([
    ...["adopt", "acme/p1", "acme/p2", "--include-emails", "--format", "json", "--out", "json"],
  ]);
  await workshop.succeed(["apply", ...ONE_BY_ONE, ...CONFIG], "json");
  for (const below of ["app/node_modules", "app/cdktf.out"]) workshop.remove(below);
  workshop.keep(["app", "json"], folder);
}

/** Writes states with invitations whose addresses have capital letters. In the states, their ids have small letters. */
export async function makeSpellings(
  terraform: ((stack: string) => Promise<void>) | undefined,
  workshop: Workshop,
  folder: string,
): Promise<void> {
  workshop.write("embedded/main.tf.json", spellings("embedded"));
  await workshop.succeed(["apply", ...ONE_BY_ONE, ...CONFIG], "embedded");
  const kept = ["embedded/main.tf.json", "embedded/terraform.tfstate"];
  if (terraform !== undefined) {
    workshop.write("terraform/main.tf.json", spellings("terraform"));
    await terraform("terraform");
    kept.push("terraform/main.tf.json", "terraform/terraform.tfstate");
  }
  workshop.keep(kept, folder);
}
