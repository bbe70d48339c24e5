/**
 * Parameters that name the visitor or the campaign, never the page.
 *
 * Two URLs that differ only in these are one page, so they are dropped. Names are compared
 * without case. But for `sid`, which U1 names, a name is here only if it means nothing else:
 * `ref`, `source` or `id` choose content on many sites and stay.
 *
 *   isNoiseName   query parameters      ?utm_source=x  ?PHPSESSID=…  ?ASPSESSIONIDAQBS=…
 *   without…      paths                 /a;jsessionid=…   /(S(4hqa0555fwsecu455xqckv45))/a
 */
const TRACKING = [
  // Google, Microsoft, Yandex and other advertising clicks
  'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl _gac',
  'msclkid yclid ysclid _openstat twclid ttclid li_fat_id epik sccid rdt_cid qclid',
  'clickid irclickid irgwc zanpid wickedid rb_clickid s_cid s_kwcid ef_id',
  // Meta
  'fbclid igshid igsh fb_ref fb_source fb_action_ids fb_action_types',
  // mail and marketing suites
  'mc_cid mc_eid mkt_tok _hsenc _hsmi __hssc __hstc __hsfp hsctatracking vero_id vero_conv',
  'oly_anon_id oly_enc_id ml_subscriber ml_subscriber_hash dm_i trk_contact trk_msg trk_module',
  '_kx _bta_tid _bta_c elqtrackid elqtrack _ke sb_referer_host',
  // measuring
  'pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid pk_vid',
  'at_medium at_campaign at_custom1 at_custom2 at_custom3 at_custom4 aftr_source',
  'guccounter guce_referrer guce_referrer_sig spm cmpid',
];

const SESSIONS = [
  'session_id sessid sess_id phpsession php_sessid asp.net_sessionid cfid cftoken',
  'oscsid zenid xtcsid mscssid jservsessionid',
];

/** `sid`, `phpsessid` and `sessionid`, with the prefixes that servers put before them. */
function sessionNames(): string[] {
  const starts = ['', '_'].flatMap((mark) => ['', 'l', 'j', 'bv_'].map((kind) => mark + kind));
  return starts.flatMap((start) => ['sid', 'phpsessid', 'sessionid'].map((name) => start + name));
}

const SESSION_NAMES = [...SESSIONS.join(' ').split(' '), ...sessionNames()];
const NAMES = new Set([...TRACKING.join(' ').split(' '), ...SESSION_NAMES]);
const PREFIXES = ['utm_', 'mtm_', 'piwik_', 'matomo_', 'hsa_', 'aspsessionid'];

const FIRST_CHARACTERS = new Set([...NAMES, ...PREFIXES].map((name) => name.charCodeAt(0)));
const NAME_LENGTH_MAX = 64;

export function isNoiseName(name: string): boolean {
  if (name.length < 3 || name.length > NAME_LENGTH_MAX) return false;
  const first = name.charCodeAt(0);
  if (!FIRST_CHARACTERS.has(first) && !FIRST_CHARACTERS.has(first | 0x20)) return false;
  const lower = name.toLowerCase();
  return NAMES.has(lower) || PREFIXES.some((prefix) => lower.startsWith(prefix));
}

const escaped = SESSION_NAMES.map((name) => name.replace('.', '\\.')).join('|');
const MATRIX_SESSION = new RegExp(`;(?:${escaped}|aspsessionid[a-z]*)=[^;/?&]*`, 'gi');

/** Drops `;jsessionid=…` and its kin, in a path or in a query. */
export function withoutMatrixSessions(text: string): string {
  return text.includes(';') ? text.replace(MATRIX_SESSION, '') : text;
}

const COOKIELESS = /\/\((?:[A-Za-z]\([0-9A-Za-z_-]{24,}\))+\)(?=\/)/g;

/** Drops the segment in which ASP.NET keeps a session when cookies are off: `/(S(…))/`. */
export function withoutCookielessSegments(path: string): string {
  return path.includes('/(') ? path.replace(COOKIELESS, '') : path;
}
