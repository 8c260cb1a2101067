var o="truecolor.png";function i(n,r){if(n==="imagery")return o;if(r)return"segmentation.png";let[e=n,t]=n.split(":");return`${e==="index"&&t!==void 0?t.toLowerCase():e}.png`}export{i as a};
