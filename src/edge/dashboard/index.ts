/**
 * The dashboard of `orb serve` (O2, O3): pages that a browser draws from the API.
 *
 *   pages/          what runs in the browser; its own drawing is in pages/index.ts
 *      │  vite (tools/build-dashboard.ts)
 *   dist/dashboard  index.html, assets/NAME-HASH.js and .css
 *      │
 *   files.ts        read from there; built in memory where the sources are
 *   endpoints.ts    GET / and GET /assets/{name}, to be listed with the API's
 */
export { dashboardEndpoints } from './endpoints.ts';
export { type DashboardFile, type DashboardFiles, dashboardFile, openDashboard } from './files.ts';
