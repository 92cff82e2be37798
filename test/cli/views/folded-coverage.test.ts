import { ESTATE_TOKENS, estate, OBJECTS_A_PROJECT } from "../../adopt/groups/estate";
import { usePlace } from "../support/place";

const PROJECTS = 40;
/**
 * The number of undeclared objects and entries. The five allowlist entries of a project are one object, but each entry
 * counts separately.
 */
const UNDECLARED = PROJECTS * (OBJECTS_A_PROJECT + 4);

const place = usePlace("all", estate(PROJECTS));
const look = (...more: string[]) =>
  place.runIn(".", ["drift", "--coverage", "--group", "estate", ...more], {
    STEWARD_TOKEN: ESTATE_TOKENS.owner,
  });

test("drift --coverage prints equal undeclared objects of forty projects as one block", async () => {
  const { code, out, err } = await look("--report", "all.json");
  expect(code).toBe(2);
  expect(out).toContain(`Unmanaged: ${UNDECLARED} (45 projects and groups searched).`);
  expect(out).toContain("# 40 objects steward_container_protection_rule are on the service but not declared");
  expect(out).toMatch(/\n {6}\+ repository_path_pattern {7}= "\{project\}\/image-0\*"\n/);
  expect(out).toMatch(
    /And \d+ more undeclared objects, with other values\. To list all of them, add --report FILE\./,
  );
  expect(out.split("\n").length).toBeLessThan(350);
  expect(err.match(/Warning: /g)).toHaveLength(1);
  expect(err).toContain("4 projects are archived and can't be changed");
  expect(err).toContain(": estate/old-0, estate/old-1, estate/old-2, estate/old-3.");
  const { stacks } = JSON.parse(place.read("all.json"));
  expect(stacks.flatMap(({ objects }: { objects: object[] }) => objects)).toHaveLength(UNDECLARED);
});

test("drift --coverage --summary prints only the number of undeclared objects of each type", async () => {
  const { code, out } = await look("--summary");
  expect(code).toBe(2);
  expect(out).toMatch(/\nsteward_job_token_allowlist_project +160\n/);
  expect(out).toContain(`0 objects checked. ${UNDECLARED} unmanaged objects.`);
  expect(out.split("\n").length).toBeLessThan(15);
});
