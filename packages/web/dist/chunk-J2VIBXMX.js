import{g as e,m as n}from"./chunk-NLYCYNT3.js";var t=e(null);function s(){let o=n(t);if(o===null)throw new Error("expected a console around the component");return o}export{t as a,s as b};
