/** Codes of requests to the service, in `src/http` and `src/api`: what each means, and how to fix it. Errors and `docs/errors.md` have both. */
export const API_CODES = {
  missing_base_url: [
    "The client doesn't know which service to talk to.",
    "Set base_url in the configuration, or STEWARD_BASE_URL or CI_API_V4_URL in the environment.",
  ],
  missing_token: [
    "The client has no access token.",
    "Set token or token_file in the configuration, or STEWARD_TOKEN or STEWARD_TOKEN_FILE in the environment.",
  ],
  invalid_option: ["An option of the client is invalid.", "Change the option that the message names."],
  unreadable_file: [
    "A file that an option of the client names can't be read.",
    "Check the path and the file's permissions.",
  ],
  token_file_permissions: [
    "Other users of this machine can write or read the file of the token. A user who can write it chooses the identity of Steward.",
    "Restrict the file to its owner: chmod 600 FILE. With CI=true a writable file is only a warning, because CI runners mount files with the mode 0666.",
  ],
  plain_http_refused: [
    "The service's address is plain http on another machine: the token would be sent unencrypted.",
    "Use https, or allow this host by name with allow_plain_http.",
  ],
  invalid_argument: [
    "An operation was called with an argument that the API does not accept. Nothing was sent.",
    "Change the argument that the message names.",
  ],
  bad_request: [
    "The service rejects the request as malformed (400).",
    "The message quotes the service's response: change the value that it rejects.",
  ],
  unauthorized: [
    "The service doesn't accept the token (401).",
    "Check that the token belongs to this service, has not expired and was not revoked.",
  ],
  forbidden: [
    "The token's user may not do this (403).",
    "Give the user the role that the operation needs, or use another user's token.",
  ],
  feature_off: [
    "The feature is off, or not part of the service's licence (403).",
    "Enable the feature for the project, its group or the instance, or remove the declarations that need it; another role does not help.",
  ],
  insufficient_scope: [
    "The token's scopes don't allow the request (403).",
    "Use a token with the scope api; read_api is enough for reads.",
  ],
  not_found: [
    "The object does not exist, or the token can't see it (404).",
    "Check the id or path, and that the token's user can see it.",
  ],
  method_not_allowed: [
    "The service accepts no changes at this address (405). Nothing was changed.",
    "If the project moved, use its id or its new path; otherwise check that base_url points at the API, and which release the service runs.",
  ],
  no_api: [
    "The address of the service does not lead to an API.",
    "Check the path of base_url: the address of the service, with or without /api/v4.",
  ],
  conflict: [
    "The request conflicts with the current state of the service (409).",
    "The message quotes the service's response.",
  ],
  already_there: [
    "The object to create already exists (400, 409 or 422, depending on the operation).",
    "Use the existing object, or delete it first.",
  ],
  unprocessable: [
    "The service rejects a value of the request (422).",
    "The message quotes the service's response: change the value that it rejects.",
  ],
  uri_too_long: [
    "The path and query of a request are longer than the service accepts (414).",
    "Use shorter names or fewer filters.",
  ],
  rate_limited: [
    "The service rejected every attempt because of its rate limit (429), or announced a pause of more than five minutes.",
    "Wait, lower max_concurrency, or ask for a higher limit.",
  ],
  service_unavailable: [
    "The service, or a proxy in front of it, is unavailable (502, 503, 504).",
    "Try again later.",
  ],
  service_failed: [
    "The service failed while it handled the request (500).",
    "Check the live object before you repeat a change, and report the failure to the service's operators.",
  ],
  unexpected_status: [
    "The service responded with a status that the API does not document for this operation.",
    "Check that base_url points at the API, and which release the service runs.",
  ],
  unexpected_answer: [
    "The service's response does not have the documented format.",
    "Check that base_url points at the API and that no proxy responds in its place.",
  ],
  list_changing: [
    "The list changes each time it is read.",
    "Another run or a person changes its objects: run again once they have finished. If they have, check that the service lists the objects in a fixed order.",
  ],
  redirect_refused: [
    "The service responded with a redirect that the client does not follow.",
    "If the object moved, use its new path; if it is a sign-in page, check base_url and the token.",
  ],
  unreachable: [
    "The client could not connect to the service. Nothing was sent.",
    "Check base_url, the network, proxies and certificates.",
  ],
  connection_lost: [
    "The connection broke before the response to a read was complete.",
    "Try again; if it keeps failing, check the network and the proxies.",
  ],
  lost_answer: [
    "A change was sent and its response was lost: it may have been executed.",
    "Check the live object before you send the change again.",
  ],
  timeout: [
    "The service did not respond to a read in time.",
    "Try again, or raise request_timeout or total_timeout.",
  ],
  cancelled: [
    "The operation was cancelled by the caller.",
    "No action needed if this is intended. A change in progress may have been executed.",
  ],
} as const;
