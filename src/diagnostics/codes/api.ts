/** Codes that a client of the service raises, in `src/http` and `src/api`. */
export const API_CODES = {
  missing_base_url: {
    meaning: "The client doesn't know which service to talk to.",
    remedy: "Set base_url in the configuration, or STEWARD_BASE_URL or CI_API_V4_URL in the environment.",
  },
  missing_token: {
    meaning: "The client has no access token.",
    remedy:
      "Set token or token_file in the configuration, or STEWARD_TOKEN or STEWARD_TOKEN_FILE in the environment.",
  },
  invalid_option: {
    meaning: "One of the client's own options can't be used.",
    remedy: "Change the option that the message names.",
  },
  unreadable_file: {
    meaning: "A file that the client's options name can't be read.",
    remedy: "Check the path and the file's permissions.",
  },
  plain_http_refused: {
    meaning: "The service's address is plain http on another machine: the token would travel unprotected.",
    remedy: "Use https, or allow this host by its name with allow_plain_http.",
  },
  invalid_argument: {
    meaning: "An operation was called with an argument that the interface doesn't take. Nothing was sent.",
    remedy: "Change the argument that the message names.",
  },
  bad_request: {
    meaning: "The service says that the request is malformed (400).",
    remedy: "See the service's own words in the message for the value it refuses.",
  },
  unauthorized: {
    meaning: "The service doesn't accept the token (401).",
    remedy: "Check that the token belongs to this service, has not expired and was not revoked.",
  },
  forbidden: {
    meaning: "The token's user may not do this (403).",
    remedy: "Give the user the role that the operation needs, or use another user's token.",
  },
  feature_off: {
    meaning: "The feature is off, or not part of the service's licence (403).",
    remedy:
      "Switch the feature on for the project, its group or the instance, or take what needs it out of the code; another role does not help.",
  },
  insufficient_scope: {
    meaning: "The token's scopes don't allow this (403).",
    remedy: "Use a token with the scope api; read_api is enough for reading alone.",
  },
  not_found: {
    meaning: "The service knows no such object, or doesn't show it to this token (404).",
    remedy: "Check the id or path, and that the token's user can see it.",
  },
  method_not_allowed: {
    meaning: "The service takes no change at this address (405). Nothing was done.",
    remedy:
      "If the project moved, name it by its id or its new path; else check that base_url points at the API, and which release the service runs.",
  },
  no_api: {
    meaning: "There is no API at the address of the service.",
    remedy: "Check the path of base_url: the address of the service, with or without /api/v4.",
  },
  conflict: {
    meaning: "The request contradicts what is on the service (409).",
    remedy: "See the service's own words in the message.",
  },
  already_there: {
    meaning: "The service has what should be created already (400, 409 or 422, by the operation).",
    remedy: "Use what is there, or remove it first.",
  },
  unprocessable: {
    meaning: "The service understood the request and refuses its values (422).",
    remedy: "See the service's own words in the message for the value it refuses.",
  },
  uri_too_long: {
    meaning: "The path and query of a request are longer than the service takes (414).",
    remedy: "Use shorter names or fewer filters.",
  },
  rate_limited: {
    meaning:
      "The service kept refusing because of its rate limit (429), or asks to wait for more than five minutes.",
    remedy: "Wait, lower max_concurrency, or ask for a higher limit.",
  },
  service_unavailable: {
    meaning: "The service, or a proxy before it, can't answer at the moment (502, 503, 504).",
    remedy: "Try again later.",
  },
  service_failed: {
    meaning: "The service failed while it handled the request (500).",
    remedy: "Look at the live object before you repeat a change; tell the service's operators.",
  },
  unexpected_status: {
    meaning: "The service answered with a status that this operation doesn't have.",
    remedy: "Check that base_url points at the API, and which release the service runs.",
  },
  unexpected_answer: {
    meaning: "The service's answer has not the shape that the interface describes.",
    remedy: "Check that base_url points at the API and that no proxy answers in its place.",
  },
  redirect_refused: {
    meaning: "The service answered with a redirect that is not followed.",
    remedy: "If the object moved, use its new path; if it is a sign-in page, check base_url and the token.",
  },
  unreachable: {
    meaning: "No connection to the service could be made. Nothing was sent.",
    remedy: "Check base_url, the network, proxies and certificates.",
  },
  connection_lost: {
    meaning: "The connection broke before the answer to a read was complete.",
    remedy: "Try again; if it lasts, look at the network and the proxies between.",
  },
  lost_answer: {
    meaning: "A change was sent and its answer was lost: it may have been done.",
    remedy: "Look at the live object before you send the change again.",
  },
  timeout: {
    meaning: "The service took longer to answer a read than the client waits.",
    remedy: "Try again, or raise request_timeout or total_timeout.",
  },
  cancelled: {
    meaning: "The operation was cancelled by the caller.",
    remedy: "Nothing, if that was meant. A change that was under way may have been done.",
  },
} as const;
