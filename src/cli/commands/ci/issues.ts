import type { Issue } from "../../../api";
import type { IssuesArguments } from "../../arguments/ci";
import { type IssueChange, issueChanges, LABEL } from "../../ci/issues";
import { readOwners } from "../../ci/owners";
import { onPlatform, type Platform } from "../../ci/platform";
import { readReports } from "../../run/read-reports";
import { readNamed } from "../../stacks/named-input";
import { ciRun } from "../../terminal/ci-run";
import type { Terminal } from "../../terminal/terminal";
import { post } from "./post";

/** Keeps one issue for each project or stack that drifts. */
export async function issues(args: IssuesArguments, terminal: Terminal): Promise<number> {
  const report = await readReports(args.files, terminal);
  const { owners: file, by } = args;
  const owners =
    file === undefined
      ? () => []
      : readOwners((await readNamed(file, "owners_invalid", terminal)).bytes.toString("utf8"), file);
  const changes = (open: readonly Issue[]) =>
    limited(issueChanges(report, open, { by, owners, run: ciRun(terminal.env) }), args.maxNew);
  return post("The issues", report, args, terminal, {
    // Without a request nobody knows which issues there are.
    preview: () =>
      changes([]).flatMap(({ lines, change }) => [...lines, ...(change?.description.split("\n") ?? [])]),
    send: () =>
      onPlatform(terminal, async (platform) => {
        const done: string[] = [];
        for (const { change, lines } of changes(await openIssues(platform))) {
          if (change !== undefined) await send(platform, change);
          done.push(...lines);
        }
        return done;
      }),
  });
}

const openIssues = ({ client, project, user }: Platform): Promise<Issue[]> =>
  client.issues.list(project, { state: "opened", author_id: user, labels: LABEL }).toArray();

const send = ({ client, project }: Platform, change: IssueChange): Promise<unknown> => {
  if (change.kind === "open") {
    const { title, description } = change;
    return client.issues.create(project, { title, description, labels: LABEL });
  }
  const { kind, issue, description } = change;
  return client.issues.edit(project, issue.iid, {
    description,
    ...(kind === "update" ? { title: change.title } : { state_event: "close" as const }),
  });
};

/** At most so many new issues, and what is said about each change. */
function limited(changes: readonly IssueChange[], maxNew: number) {
  const opened = changes.filter(({ kind }) => kind === "open");
  const left = new Set<IssueChange>(opened.slice(maxNew));
  const shown = changes
    .filter((change) => !left.has(change))
    .map((change) => ({ change: change as IssueChange | undefined, lines: [describe(change)] }));
  if (left.size === 0) return shown;
  const text = `${left.size} more would be opened, and --max-new allows ${maxNew} in a run: the next run goes on.`;
  return [...shown, { change: undefined, lines: [text] }];
}

const describe = (change: IssueChange): string =>
  change.kind === "open"
    ? `Opened: ${change.title}`
    : change.kind === "update"
      ? `Updated #${change.issue.iid}: ${change.title}`
      : `Closed #${change.issue.iid}: ${change.issue.title}`;
