/** The terminals of the library `common`, in Lark. Those that others are made of come first. */
export const commonLibrary = `
DIGIT: /[0-9]/
HEXDIGIT: /[0-9a-fA-F]/
INT: /[0-9]+/
SIGNED_INT: /[+-]?[0-9]+/
DECIMAL: /[0-9]+\\.[0-9]*|\\.[0-9]+/
_EXP: /[eE][+-]?[0-9]+/
FLOAT: INT _EXP | DECIMAL _EXP?
SIGNED_FLOAT: /[+-]?/ FLOAT
NUMBER: FLOAT | INT
SIGNED_NUMBER: /[+-]?/ NUMBER
ESCAPED_STRING: /"([^"\\\\\\n]|\\\\[^\\n])*"/
LCASE_LETTER: /[a-z]/
UCASE_LETTER: /[A-Z]/
LETTER: /[A-Za-z]/
WORD: /[A-Za-z]+/
CNAME: /[_A-Za-z][_A-Za-z0-9]*/
WS_INLINE: /[ \\t]+/
WS: /[ \\t\\f\\r\\n]+/
CR: /\\r/
LF: /\\n/
NEWLINE: /(\\r?\\n)+/
SH_COMMENT: /#[^\\n]*/
CPP_COMMENT: /\\/\\/[^\\n]*/
C_COMMENT: /\\/\\*([^*]|\\*+[^*\\/])*\\*+\\//
SQL_COMMENT: /--[^\\n]*/
`
