// Runs the built service in a separate process. Messages of the parent process start the service, set the delay of
// responses, and ask for the counts.
const http = require("node:http");
const { join } = require("node:path");

tellEdition();
const { startService } = require(join(__dirname, "..", "..", "dist", "service"));

const countersOf = (all) => {
  const refused = all.filter(({ status }) => status === 429).map(({ method, url }) => `${method} ${url}`);
  return {
    requests: all.length,
    refused: refused.length,
    refusedAgain: refused.length - new Set(refused).size,
  };
};

const pagesOf = (all) => all.filter(({ method }) => method === "GET").map(({ url }) => url);

let service;
process.on("message", async ({ start, delay, counters, pages }) => {
  if (start) {
    service = await startService({ ...start, recordRequests: true });
    process.send({ url: service.url, token: service.adminToken });
  }
  if (delay !== undefined) {
    service.faults.clear();
    if (delay > 0) service.faults.add({ always: true, delay });
    process.send({});
  }
  if (counters) process.send(countersOf(service.requests.all));
  if (pages) process.send({ pages: pagesOf(service.requests.all) });
  if (counters || pages) service.requests.reset();
});
process.on("disconnect", () => process.exit());

/**
 * Adds the edition to responses to `/version`, because gitlabform reads it there. By the specification, only
 * `/metadata` contains the edition.
 */
function tellEdition() {
  const { createServer } = http;
  http.createServer = (options, handle) =>
    createServer(options, (request, response) => {
      if (request.url.split("?")[0] === "/api/v4/version") {
        const { writeHead, end } = response;
        response.writeHead = function (status, { "content-length": _, ...headers }) {
          return writeHead.call(this, status, headers);
        };
        response.end = function (body, ...rest) {
          return end.call(this, JSON.stringify({ ...JSON.parse(body), enterprise: true }), ...rest);
        };
      }
      handle(request, response);
    });
}
