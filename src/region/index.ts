/**
 * Where hosts are, as far as names and addresses tell (K4): so that who is near them asks them.
 *
 *   hint.ts        host, address ─▶ region, or none: own table, geo-IP table, country
 *   geo-table.ts   networks ─▶ ranges without overlaps ─▶ the region of an address
 *   geo-rows.ts    `network,region` lines, read strictly
 *   countries.ts   top-level domains of countries ─▶ continents
 *   name.ts        what a region may be called
 *
 * Not here: who takes which host (../frontier/lines.ts); the tags of stored bodies, which say
 * where we keep something and not where it came from (../content/region.ts).
 */

export { type GeoProblem, isGeoProblem, readGeoTable } from './geo-rows.ts';
export { GeoTable } from './geo-table.ts';
export { type HostRegion, RegionHints } from './hint.ts';
export { isRegionName, REGION_PATTERN, regionNamed } from './name.ts';
