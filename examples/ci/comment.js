// Writes a report as a comment on the merge request, and updates that comment from then on: node comment.js plan.md
// It finds its comment by the report's first line, a marker that the platform does not show.
const { readFileSync } = require("node:fs");

const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: request } = process.env;
const notes = `${api}/projects/${project}/merge_requests/${request}/notes`;

async function send(method, url, body) {
  const response = await fetch(url, {
    method,
    redirect: "error",
    headers: { "PRIVATE-TOKEN": process.env.STEWARD_COMMENT_TOKEN, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${response.status}`);
  return response;
}

/** The id of the token's own comment with this marker; others may quote it. */
async function find(marker) {
  const { id: user } = await (await send("GET", `${api}/user`)).json();
  for (let page = "1"; page; ) {
    const response = await send("GET", `${notes}?per_page=100&page=${page}`);
    const found = (await response.json()).find(
      ({ body, author }) => author.id === user && body.startsWith(marker),
    );
    if (found) return found.id;
    page = response.headers.get("x-next-page");
  }
}

async function main() {
  const body = readFileSync(process.argv[2] ?? "plan.md", "utf8");
  const id = await find(body.split("\n")[0]);
  await (id === undefined ? send("POST", notes, { body }) : send("PUT", `${notes}/${id}`, { body }));
}

main().catch((problem) => {
  console.error(problem.message);
  process.exitCode = 1;
});
