import type { StateVector } from "./state-vector.ts";

interface StackScene {
  readonly scene: string;
  readonly stateVectors: readonly StateVector[];
  /** As ASF publishes it: from linearly interpolated positions, rounded to metres. */
  readonly publishedM: number;
  /** Zero-Doppler values of an independent computation. */
  readonly perpendicularM: number;
  readonly parallelM: number;
}

/** Sentinel-1A path 13: state vectors of its annotations and baselines against one of the scenes at one target. */
export const SENTINEL1_STACK: {
  readonly reference: string;
  readonly targetLonLat: readonly [number, number];
  readonly scenes: readonly StackScene[];
} = {
  reference: "S1A_IW_SLC__1SSV_20160528T141908_20160528T141938_011460_011746_335C",
  targetLonLat: [-120.7687, 54.8502],
  scenes: [
    {
      scene: "S1A_IW_SLC__1SSV_20150603T141906_20150603T141935_006210_0081A6_AF4C",
      publishedM: 134,
      perpendicularM: 126.611,
      parallelM: 44.607,
      stateVectors: [
        {
          timeMs: Date.parse("2015-06-03T14:19:14.000Z"),
          positionM: [-1644601.584396, -3823763.034176, 5712464.636954],
          velocityMs: [-4274.851228, -4577.458465, -4284.727618],
        },
        {
          timeMs: Date.parse("2015-06-03T14:19:24.000Z"),
          positionM: [-1687290.452435, -3869291.464863, 5669295.863187],
          velocityMs: [-4262.830616, -4528.145403, -4348.946299],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20150627T141907_20150627T141937_006560_008BAD_1A2B",
      publishedM: 111,
      perpendicularM: 101.862,
      parallelM: 42.159,
      stateVectors: [
        {
          timeMs: Date.parse("2015-06-27T14:19:14.000Z"),
          positionM: [-1637706.537218, -3816404.312642, 5719331.581578],
          velocityMs: [-4276.861189, -4585.270251, -4274.343388],
        },
        {
          timeMs: Date.parse("2015-06-27T14:19:24.000Z"),
          positionM: [-1680415.947863, -3862011.257258, 5676266.260619],
          velocityMs: [-4264.929159, -4536.036191, -4338.640146],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20151001T141910_20151001T141940_007960_00B208_B26B",
      publishedM: 16,
      perpendicularM: 19.576,
      parallelM: 3.039,
      stateVectors: [
        {
          timeMs: Date.parse("2015-10-01T14:19:23.000Z"),
          positionM: [-1662343.821242, -3842882.542135, 5694480.789844],
          velocityMs: [-4269.918508, -4556.961572, -4311.608509],
        },
        {
          timeMs: Date.parse("2015-10-01T14:19:33.000Z"),
          positionM: [-1704982.217255, -3888204.968488, 5651044.219018],
          velocityMs: [-4257.668939, -4507.441821, -4375.624274],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20151025T141911_20151025T141940_008310_00BB7E_0D71",
      publishedM: 68,
      perpendicularM: 71.276,
      parallelM: 10.858,
      stateVectors: [
        {
          timeMs: Date.parse("2015-10-25T14:19:23.000Z"),
          positionM: [-1661799.997506, -3842241.136016, 5695098.949401],
          velocityMs: [-4270.000043, -4557.662765, -4310.726437],
        },
        {
          timeMs: Date.parse("2015-10-25T14:19:33.000Z"),
          positionM: [-1704439.245305, -3887570.611464, 5651671.167588],
          velocityMs: [-4257.757762, -4508.150476, -4374.748591],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20151118T141905_20151118T141935_008660_00C4F6_36A8",
      publishedM: 12,
      perpendicularM: 8.539,
      parallelM: -73.262,
      stateVectors: [
        {
          timeMs: Date.parse("2015-11-18T14:19:13.000Z"),
          positionM: [-1620483.966471, -3798126.430023, 5736392.587398],
          velocityMs: [-4281.404697, -4604.830637, -4248.481208],
        },
        {
          timeMs: Date.parse("2015-11-18T14:19:23.000Z"),
          positionM: [-1663239.921987, -3843929.971344, 5693584.930663],
          velocityMs: [-4269.69459, -4555.794737, -4312.969973],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20151212T141904_20151212T141934_009010_00CEBA_FD58",
      publishedM: 191,
      perpendicularM: 185.451,
      parallelM: 22.979,
      stateVectors: [
        {
          timeMs: Date.parse("2015-12-12T14:19:13.000Z"),
          positionM: [-1623474.193737, -3801058.09648, 5733635.685436],
          velocityMs: [-4280.570805, -4601.622336, -4252.754066],
        },
        {
          timeMs: Date.parse("2015-12-12T14:19:23.000Z"),
          positionM: [-1666221.620254, -3846829.398801, 5690785.458433],
          velocityMs: [-4268.822661, -4552.555285, -4317.211067],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160105T141903_20160105T141933_009360_00D8A2_ADC1",
      publishedM: 64,
      perpendicularM: 57.197,
      parallelM: -48.966,
      stateVectors: [
        {
          timeMs: Date.parse("2016-01-05T14:19:13.000Z"),
          positionM: [-1627360.01124, -3805440.777044, 5729619.492543],
          velocityMs: [-4279.487569, -4597.066668, -4258.834225],
        },
        {
          timeMs: Date.parse("2016-01-05T14:19:23.000Z"),
          positionM: [-1670096.353818, -3851166.284231, 5686708.689092],
          velocityMs: [-4267.689121, -4547.952051, -4323.246103],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160129T141902_20160129T141932_009710_00E2CF_C112",
      publishedM: 30,
      perpendicularM: 22.017,
      parallelM: -72.495,
      stateVectors: [
        {
          timeMs: Date.parse("2016-01-29T14:19:13.000Z"),
          positionM: [-1631127.521197, -3809546.523087, 5725826.814442],
          velocityMs: [-4278.41783, -4592.771225, -4264.576137],
        },
        {
          timeMs: Date.parse("2016-01-29T14:19:23.000Z"),
          positionM: [-1673852.923734, -3855228.853982, 5682858.805983],
          velocityMs: [-4266.570895, -4543.612327, -4328.945083],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160222T141902_20160222T141932_010060_00ED05_6A5F",
      publishedM: 147,
      perpendicularM: 138.543,
      parallelM: 46.162,
      stateVectors: [
        {
          timeMs: Date.parse("2016-02-22T14:19:13.000Z"),
          positionM: [-1631826.317026, -3810053.22994, 5725251.45033],
          velocityMs: [-4278.325237, -4592.098079, -4265.442421],
        },
        {
          timeMs: Date.parse("2016-02-22T14:19:23.000Z"),
          positionM: [-1674550.748246, -3855728.798924, 5682274.807005],
          velocityMs: [-4266.469222, -4542.933069, -4329.805741],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160317T141902_20160317T141932_010410_00F6E5_3072",
      publishedM: -9,
      perpendicularM: -16.225,
      parallelM: -27.943,
      stateVectors: [
        {
          timeMs: Date.parse("2016-03-17T14:19:13.000Z"),
          positionM: [-1630316.229395, -3808669.17938, 5726567.396989],
          velocityMs: [-4278.760596, -4593.665541, -4263.380355],
        },
        {
          timeMs: Date.parse("2016-03-17T14:19:23.000Z"),
          positionM: [-1673045.109372, -3854360.494739, 5683611.296448],
          velocityMs: [-4266.923586, -4544.514873, -4327.759284],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160410T141903_20160410T141933_010760_010117_B4CA",
      publishedM: 30,
      perpendicularM: 24.469,
      parallelM: 12.906,
      stateVectors: [
        {
          timeMs: Date.parse("2016-04-10T14:19:13.000Z"),
          positionM: [-1626851.937029, -3804864.348492, 5730058.863649],
          velocityMs: [-4279.740403, -4597.678624, -4258.057424],
        },
        {
          timeMs: Date.parse("2016-04-10T14:19:23.000Z"),
          positionM: [-1669590.837983, -3850595.99916, 5687155.793944],
          velocityMs: [-4267.947989, -4548.568793, -4322.476184],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160504T141904_20160504T141934_011110_010BE2_0020",
      publishedM: 117,
      perpendicularM: 114.108,
      parallelM: 77.251,
      stateVectors: [
        {
          timeMs: Date.parse("2016-05-04T14:19:13.000Z"),
          positionM: [-1623022.080598, -3800587.078592, 5733969.749232],
          velocityMs: [-4280.670645, -4602.216554, -4252.166791],
        },
        {
          timeMs: Date.parse("2016-05-04T14:19:23.000Z"),
          positionM: [-1665770.531566, -3846364.340939, 5691125.364497],
          velocityMs: [-4268.927759, -4553.15307, -4316.629903],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160528T141908_20160528T141938_011460_011746_335C",
      publishedM: 0,
      perpendicularM: 0,
      parallelM: 0,
      stateVectors: [
        {
          timeMs: Date.parse("2016-05-28T14:19:23.000Z"),
          positionM: [-1659540.692801, -3839913.400174, 5697283.499492],
          velocityMs: [-4270.7341, -4560.165263, -4307.409369],
        },
        {
          timeMs: Date.parse("2016-05-28T14:19:33.000Z"),
          positionM: [-1702187.424843, -3885268.022726, 5653888.760716],
          velocityMs: [-4258.52055, -4510.677309, -4371.4571],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160715T141911_20160715T141941_012160_012D97_289B",
      publishedM: 6,
      perpendicularM: -1.61,
      parallelM: -13.648,
      stateVectors: [
        {
          timeMs: Date.parse("2016-07-15T14:19:23.000Z"),
          positionM: [-1648293.685093, -3827907.233672, 5708602.882031],
          velocityMs: [-4273.819948, -4573.137992, -4290.457404],
        },
        {
          timeMs: Date.parse("2016-07-15T14:19:33.000Z"),
          positionM: [-1690972.00096, -3873392.233399, 5665377.025169],
          velocityMs: [-4261.751463, -4523.779745, -4354.633011],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160808T141912_20160808T141942_012510_013923_FFA1",
      publishedM: 15,
      perpendicularM: 6.173,
      parallelM: 10.7,
      stateVectors: [
        {
          timeMs: Date.parse("2016-08-08T14:19:23.000Z"),
          positionM: [-1642131.728014, -3821276.778777, 5714783.69569],
          velocityMs: [-4275.554687, -4580.194866, -4281.168742],
        },
        {
          timeMs: Date.parse("2016-08-08T14:19:33.000Z"),
          positionM: [-1684827.787729, -3866832.703912, 5671650.374158],
          velocityMs: [-4263.565446, -4530.907803, -4345.414763],
        },
      ],
    },
    {
      scene: "S1A_IW_SLC__1SSV_20160901T141913_20160901T141943_012860_0144D7_E308",
      publishedM: 59,
      perpendicularM: 49.277,
      parallelM: 8.612,
      stateVectors: [
        {
          timeMs: Date.parse("2016-09-01T14:19:23.000Z"),
          positionM: [-1638166.565722, -3816983.673251, 5718811.948012],
          velocityMs: [-4276.454726, -4584.896981, -4275.140246],
        },
        {
          timeMs: Date.parse("2016-09-01T14:19:33.000Z"),
          positionM: [-1680871.883395, -3862586.855246, 5675738.687645],
          velocityMs: [-4264.516992, -4535.656991, -4339.43117],
        },
      ],
    },
  ],
};
