import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FixtureInput } from "cdktf-provider-steward/testing";
import { type AdoptedFile, writeConfiguration } from "../../../src/adopt";
import { apply, drift, plan } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { startWorld } from "../../provider/support/world";
import { PEOPLE, TOKENS } from "../groups/people";
import { findingsOf, liveSettings } from "../support/adopted";
import { INVITATION_ROWS } from "../support/invitation-rows";

const FIXTURE: FixtureInput = {
  users: [...PEOPLE],
  groups: [{ path: "g", members: [{ user: "maya", role: "owner" }], invitations: INVITATION_ROWS }],
  projects: [
    {
      path: "g/web",
      invitations: INVITATION_ROWS.slice(0, 8).map(({ email }) => ({ email, role: "guest" })),
    },
    { path: "g/few", invitations: INVITATION_ROWS.slice(0, 7) },
  ],
};

type Options = { readonly format: "hcl" | "json"; readonly includeEmails: boolean };

async function adopted<R>(
  options: Options,
  use: (files: readonly AdoptedFile[], world: World) => Promise<R>,
) {
  const world = await startWorld(FIXTURE);
  try {
    const files = writeConfiguration(await liveSettings(world, "g"), { allSettings: false, ...options });
    return await use(files, world);
  } finally {
    await world.close();
  }
}

type World = Awaited<ReturnType<typeof startWorld>>;

const mainOf = (files: readonly AdoptedFile[]): string =>
  files.find(({ path: name }) => name.startsWith("main."))!.text;

test.each([true, false])(
  "apply imports the invitations that adopt wrote as tables, without a write (e-mail addresses in the code: %p)",
  (includeEmails) =>
    adopted({ format: "json", includeEmails }, async (files, world) => {
      const folder = mkdtempSync(path.join(tmpdir(), "steward-adopt-"));
      try {
        for (const file of files) writeFileSync(path.join(folder, file.path), file.text);
        const source = { configuration: folder };
        const env = { STEWARD_BASE_URL: world.service.url, STEWARD_TOKEN: TOKENS.reader };
        const run = { providers: [createProvider()], folder, env };
        const planned = await plan(source, run).result;
        expect(planned.diagnostics).toEqual([]);
        const changes = planned.stacks[0]!.plan!.changes;
        expect(new Set(changes.map(({ action }) => action))).toEqual(new Set(["no-op"]));
        const rows = changes.filter(({ address }) => address.endsWith('"]'));
        expect(rows).toHaveLength(INVITATION_ROWS.length + 8);
        expect(rows.every(({ importing }) => importing !== undefined)).toBe(true);
        expect((await apply(source, run).result).diagnostics).toEqual([]);
        const again = await plan(source, run).result;
        expect([again.diagnostics, again.stacks[0]!.plan!.hasChanges]).toEqual([[], false]);
        expect(findingsOf(await drift(source, { ...run, coverage: true }).result)).toEqual([]);
        expect(world.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
);

test("adopt in HCL writes the invitations as a table without e-mail addresses", () =>
  adopted({ format: "hcl", includeEmails: false }, async (files) => {
    const text = mainOf(files);
    expect(text).toContain(
      [
        "locals {",
        "  g_web_project_invitations = {",
        '    "invitee-1" = { email = var.emails["invitee-1"] }',
      ].join("\n"),
    );
    expect(text).toContain('= { email = var.emails["invitee-8"], access_level = 30 } # Developer');
    expect(text).toContain(
      [
        'resource "steward_project_invitation" "g_web" {',
        "  for_each = local.g_web_project_invitations",
        "",
        '  project      = "g/web"',
        "  email        = each.value.email",
        "  access_level = 10 # Guest",
        "}",
        "",
        "import {",
        "  for_each = local.g_web_project_invitations",
        "  to       = steward_project_invitation.g_web[each.key]",
        '  id       = "g/web:${each.value.email}"',
        "}",
      ].join("\n"),
    );
    // The file has eight blocks: one block for each of seven objects, and one table for all other objects.
    expect(text.match(/^resource "steward_project_invitation"/gm)).toHaveLength(8);
    expect(text).not.toContain("@");
  }));
