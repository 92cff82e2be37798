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
    meaning: "An option of the client is invalid.",
    remedy: "Change the option that the message names.",
  },
  unreadable_file: {
    meaning: "A file that an option of the client names can't be read.",
    remedy: "Check the path and the file's permissions.",
  },
  plain_http_refused: {
    meaning: "The service's address is plain http on another machine: the token would be sent unencrypted.",
    remedy: "Use https, or allow this host by name with allow_plain_http.",
  },
  invalid_argument: {
    meaning: "An operation was called with an argument that the API does not accept. Nothing was sent.",
    remedy: "Change the argument that the message names.",
  },
  bad_request: {
    meaning: "The service rejects the request as malformed (400).",
    remedy: "The message quotes the service's response: change the value that it rejects.",
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
      "Enable the feature for the project, its group or the instance, or remove the declarations that need it; another role does not help.",
  },
  insufficient_scope: {
    meaning: "The token's scopes don't allow the request (403).",
    remedy: "Use a token with the scope api; read_api is enough for reads.",
  },
  not_found: {
    meaning: "The object does not exist, or the token can't see it (404).",
    remedy: "Check the id or path, and that the token's user can see it.",
  },
  method_not_allowed: {
    meaning: "The service accepts no changes at this address (405). Nothing was changed.",
    remedy:
      "If the project moved, use its id or its new path; otherwise check that base_url points at the API, and which release the service runs.",
  },
  no_api: {
    meaning: "The address of the service does not lead to an API.",
    remedy: "Check the path of base_url: the address of the service, with or without /api/v4.",
  },
  conflict: {
    meaning: "The request conflicts with the current state of the service (409).",
    remedy: "The message quotes the service's response.",
  },
  already_there: {
    meaning: "The object to create already exists (400, 409 or 422, depending on the operation).",
    remedy: "Use the existing object, or delete it first.",
  },
  unprocessable: {
    meaning: "The service rejects a value of the request (422).",
    remedy: "The message quotes the service's response: change the value that it rejects.",
  },
  uri_too_long: {
    meaning: "The path and query of a request are longer than the service accepts (414).",
    remedy: "Use shorter names or fewer filters.",
  },
  rate_limited: {
    meaning:
      "The service rejected every attempt because of its rate limit (429), or announced a pause of more than five minutes.",
    remedy: "Wait, lower max_concurrency, or ask for a higher limit.",
  },
  service_unavailable: {
    meaning: "The service, or a proxy in front of it, is unavailable (502, 503, 504).",
    remedy: "Try again later.",
  },
  service_failed: {
    meaning: "The service failed while it handled the request (500).",
    remedy:
      "Check the live object before you repeat a change, and report the failure to the service's operators.",
  },
  unexpected_status: {
    meaning: "The service responded with a status that the API does not document for this operation.",
    remedy: "Check that base_url points at the API, and which release the service runs.",
  },
  unexpected_answer: {
    meaning: "The service's response does not have the documented format.",
    remedy: "Check that base_url points at the API and that no proxy responds in its place.",
  },
  redirect_refused: {
    meaning: "The service responded with a redirect that the client does not follow.",
    remedy: "If the object moved, use its new path; if it is a sign-in page, check base_url and the token.",
  },
  unreachable: {
    meaning: "The client could not connect to the service. Nothing was sent.",
    remedy: "Check base_url, the network, proxies and certificates.",
  },
  connection_lost: {
    meaning: "The connection broke before the response to a read was complete.",
    remedy: "Try again; if it keeps failing, check the network and the proxies.",
  },
  lost_answer: {
    meaning: "A change was sent and its response was lost: it may have been executed.",
    remedy: "Check the live object before you send the change again.",
  },
  timeout: {
    meaning: "The service did not respond to a read in time.",
    remedy: "Try again, or raise request_timeout or total_timeout.",
  },
  cancelled: {
    meaning: "The operation was cancelled by the caller.",
    remedy: "No action needed if this is intended. A change in progress may have been executed.",
  },
} as const;
