/** The policies by name, for those who choose one (../config/); what they do is in recrawl.ts. */
export const POLICIES = ['halving', 'optimal', 'uniform', 'never'] as const;
export type PolicyName = (typeof POLICIES)[number];
