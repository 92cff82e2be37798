import { manageCommands } from "../../../src/cli/findings/manage-commands";
import type { UnmanagedObject } from "../../../src/engine";
import { createProvider } from "../../../src/provider";

const { resources } = createProvider().schema;

const unmanaged = (type: string, id: string, project: string): UnmanagedObject => ({
  type,
  id,
  container: "project 42",
  live: { id, project },
  attributes: resources[type]!.attributes,
});

describe("the commands for an undeclared object", () => {
  test("the address in the suggested import command consists of the project's name and the object's key", () => {
    expect(manageCommands(unmanaged("steward_protected_environment", "42:review/*", "acme/web"))).toEqual({
      import: "steward import steward_protected_environment.web-review '42:review/*'",
      adopt: "steward adopt acme/web --into FILE",
    });
    expect(manageCommands(unmanaged("steward_job_token_allowlist_project", "42:7", "acme/3d")).import).toBe(
      "steward import steward_job_token_allowlist_project._3d-7 42:7",
    );
  });

  test("the resource address in a suggested import command contains no e-mail address", () => {
    const { import: command } = manageCommands(
      unmanaged("steward_project_invitation", "42:ada@example.com", "acme/web"),
    );
    expect(command).toBe("steward import steward_project_invitation.web-invitation 42:ada@example.com");
    const { adopt } = manageCommands(unmanaged("steward_pages_settings", "42", "acme/$(reboot)\nx"));
    expect(adopt).toBe(`steward adopt "$(printf 'acme/$(reboot)\\012x')" --into FILE`);
  });
});
