import{o as l}from"./chunk-NLYCYNT3.js";function n(e){return l("div",{class:`table-frame ${e.class??""}`,tabIndex:0,role:"region","aria-label":e.label,children:e.children})}export{n as a};
