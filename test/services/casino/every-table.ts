/** The platform's tables, one or more of every game and variant. */
export const allTables = ['BAC-01', 'DT-01', 'DT-02', 'HE-01', 'HE-02', 'HE-03', 'NN-01', 'NN-02'] as const
