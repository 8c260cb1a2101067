import{a,b}from"./chunk-GZXO5B5Z.js";export{a as LANGUAGES,b as snippet};
