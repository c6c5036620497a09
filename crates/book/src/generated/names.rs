//! The number of each rule, and what a reader wants to know of it.

use planish_base::Id;
use planish_rules::RuleId;
use planish_rules::info::RuleInfo;

/// A rule by its position in [`RULES`].
pub(super) fn rule(index: usize) -> RuleId {
    RuleId::from_index(index)
}

pub(super) const ADD_CONSTS: usize = 0;
pub(super) const ADD_CONST_MINUS: usize = 1;
pub(super) const ADD_SUB_CANCEL: usize = 2;
pub(super) const ADD_NEG: usize = 3;
pub(super) const ADD_NEG_CONST: usize = 4;
pub(super) const ADD_NEG_NEG: usize = 5;
pub(super) const ADD_SAME: usize = 6;
pub(super) const ADD_AND_OR: usize = 7;
pub(super) const ADD_XOR_AND: usize = 8;
pub(super) const ADD_NOT_SELF: usize = 9;
pub(super) const ADD_NOT_ONE: usize = 10;
pub(super) const ADD_DIFFERENCES: usize = 11;
pub(super) const ADD_MULTIPLE_SELF: usize = 12;
pub(super) const ADD_FACTOR: usize = 13;
pub(super) const ADD_SHIFTED: usize = 14;
pub(super) const ADD_UDIV_UREM: usize = 15;
pub(super) const ADD_SDIV_SREM: usize = 16;
pub(super) const ADD_FLOORDIV_FLOORMOD: usize = 17;
pub(super) const ADD_MINUS_CANCEL: usize = 18;
pub(super) const ADD_MULTIPLE_UDIV: usize = 19;
pub(super) const ADD_MULTIPLE_SDIV: usize = 20;
pub(super) const ADD_MULTIPLE_FLOORDIV: usize = 21;
pub(super) const ADD_UMAX_BITS_MINUS_ONE: usize = 22;
pub(super) const ADD_MAX_BITS_MINUS_ONE: usize = 23;
pub(super) const POPCOUNT_BSWAP: usize = 24;
pub(super) const AND_CONSTS: usize = 25;
pub(super) const OR_CONSTS: usize = 26;
pub(super) const XOR_CONSTS: usize = 27;
pub(super) const AND_COVERED: usize = 28;
pub(super) const OR_COVERED: usize = 29;
pub(super) const AND_OR_MASKED: usize = 30;
pub(super) const AND_XOR_MASKED: usize = 31;
pub(super) const AND_ABSORBS_OR: usize = 32;
pub(super) const OR_ABSORBS_AND: usize = 33;
pub(super) const AND_AND_SELF: usize = 34;
pub(super) const OR_OR_SELF: usize = 35;
pub(super) const XOR_XOR_SELF: usize = 36;
pub(super) const AND_NOT_SELF: usize = 37;
pub(super) const OR_NOT_SELF: usize = 38;
pub(super) const XOR_NOT_SELF: usize = 39;
pub(super) const AND_OR_NOT: usize = 40;
pub(super) const OR_AND_NOT: usize = 41;
pub(super) const AND_NOT_NOT: usize = 42;
pub(super) const OR_NOT_NOT: usize = 43;
pub(super) const XOR_MINUS_ONE: usize = 44;
pub(super) const XOR_NOT_NOT: usize = 45;
pub(super) const XOR_NOT_CONST: usize = 46;
pub(super) const NOT_XOR_CONST: usize = 47;
pub(super) const NOT_ADD_CONST: usize = 48;
pub(super) const NOT_SUB_CONST: usize = 49;
pub(super) const NOT_NEG: usize = 50;
pub(super) const NOT_BIT: usize = 51;
pub(super) const XOR_BOOL_ONE: usize = 52;
pub(super) const OR_TWO_MASKS: usize = 53;
pub(super) const XOR_TWO_MASKS: usize = 54;
pub(super) const AND_XOR_CONST_SELF: usize = 55;
pub(super) const XOR_MASKED_CHOICE: usize = 56;
pub(super) const XOR_AND_CONST_SELF: usize = 57;
pub(super) const XOR_OR_CONST_SELF: usize = 58;
pub(super) const XOR_OR_CONST_SAME: usize = 59;
pub(super) const AND_COMMON_OR: usize = 60;
pub(super) const OR_COMMON_AND: usize = 61;
pub(super) const XOR_COMMON_AND: usize = 62;
pub(super) const AND_BOTH_WAYS: usize = 63;
pub(super) const OR_BOTH_WAYS: usize = 64;
pub(super) const XOR_AND_OR: usize = 65;
pub(super) const XOR_XOR_OR: usize = 66;
pub(super) const XOR_XOR_AND: usize = 67;
pub(super) const OR_XOR_AND: usize = 68;
pub(super) const OR_XOR_SELF: usize = 69;
pub(super) const AND_OR_XOR: usize = 70;
pub(super) const OR_OR_XOR: usize = 71;
pub(super) const OR_OR_AND: usize = 72;
pub(super) const AND_AND_OR: usize = 73;
pub(super) const AND_XOR_AND: usize = 74;
pub(super) const AND_LSHIFT_COMMON: usize = 75;
pub(super) const OR_LSHIFT_COMMON: usize = 76;
pub(super) const XOR_LSHIFT_COMMON: usize = 77;
pub(super) const AND_URSHIFT_COMMON: usize = 78;
pub(super) const OR_URSHIFT_COMMON: usize = 79;
pub(super) const XOR_URSHIFT_COMMON: usize = 80;
pub(super) const AND_RSHIFT_COMMON: usize = 81;
pub(super) const OR_RSHIFT_COMMON: usize = 82;
pub(super) const XOR_ADD_SIGN: usize = 83;
pub(super) const XOR_RSHIFT_COMMON: usize = 84;
pub(super) const EQ_ADD_CONST: usize = 85;
pub(super) const EQ_CONST_SUB: usize = 86;
pub(super) const EQ_XOR_CONST: usize = 87;
pub(super) const EQ_NOT_CONST: usize = 88;
pub(super) const EQ_NEG_CONST: usize = 89;
pub(super) const EQ_NEG_NEG: usize = 90;
pub(super) const EQ_NOT_NOT: usize = 91;
pub(super) const EQ_ADD_SELF: usize = 92;
pub(super) const EQ_SUB_SELF: usize = 93;
pub(super) const EQ_XOR_SELF: usize = 94;
pub(super) const EQ_ADD_COMMON: usize = 95;
pub(super) const EQ_SUB_COMMON: usize = 96;
pub(super) const EQ_SUB_COMMON_RIGHT: usize = 97;
pub(super) const EQ_XOR_COMMON: usize = 98;
pub(super) const EQ_SUB_ZERO: usize = 99;
pub(super) const EQ_XOR_ZERO: usize = 100;
pub(super) const EQ_ZERO: usize = 101;
pub(super) const EQ_AND_AND: usize = 102;
pub(super) const EQ_MASK_BIT: usize = 103;
pub(super) const NE_ADD_CONST: usize = 104;
pub(super) const NE_CONST_SUB: usize = 105;
pub(super) const NE_XOR_CONST: usize = 106;
pub(super) const NE_NOT_CONST: usize = 107;
pub(super) const NE_NEG_CONST: usize = 108;
pub(super) const NE_NEG_NEG: usize = 109;
pub(super) const NE_NOT_NOT: usize = 110;
pub(super) const NE_ADD_SELF: usize = 111;
pub(super) const NE_SUB_SELF: usize = 112;
pub(super) const NE_XOR_SELF: usize = 113;
pub(super) const NE_ADD_COMMON: usize = 114;
pub(super) const NE_SUB_COMMON: usize = 115;
pub(super) const NE_SUB_COMMON_RIGHT: usize = 116;
pub(super) const NE_XOR_COMMON: usize = 117;
pub(super) const NE_ZERO: usize = 118;
pub(super) const NE_AND_AND: usize = 119;
pub(super) const NE_MASK_BIT: usize = 120;
pub(super) const EQ_BOOL_ONE: usize = 121;
pub(super) const NE_BOOL_ONE: usize = 122;
pub(super) const EQ_BIT: usize = 123;
pub(super) const NE_BIT: usize = 124;
pub(super) const EQ_SUB_EQ: usize = 125;
pub(super) const EQ_UNEQUAL: usize = 126;
pub(super) const NE_UNEQUAL: usize = 127;
pub(super) const LT_CONST_LEFT: usize = 128;
pub(super) const LE_CONST_LEFT: usize = 129;
pub(super) const GT_CONST_LEFT: usize = 130;
pub(super) const GE_CONST_LEFT: usize = 131;
pub(super) const ULT_CONST_LEFT: usize = 132;
pub(super) const ULE_CONST_LEFT: usize = 133;
pub(super) const UGT_CONST_LEFT: usize = 134;
pub(super) const UGE_CONST_LEFT: usize = 135;
pub(super) const LT_MAXINT: usize = 136;
pub(super) const GE_MAXINT: usize = 137;
pub(super) const GT_MININT: usize = 138;
pub(super) const LE_MININT: usize = 139;
pub(super) const ULT_ONE: usize = 140;
pub(super) const UGE_ONE: usize = 141;
pub(super) const UGT_ZERO: usize = 142;
pub(super) const ULE_ZERO: usize = 143;
pub(super) const ULT_ALL_ONES: usize = 144;
pub(super) const UGE_ALL_ONES: usize = 145;
pub(super) const ULT_SIGN: usize = 146;
pub(super) const UGE_SIGN: usize = 147;
pub(super) const UGT_MAXINT: usize = 148;
pub(super) const ULE_MAXINT: usize = 149;
pub(super) const LT_SUB_ZERO: usize = 150;
pub(super) const LT_ADD_SELF: usize = 151;
pub(super) const LT_SUB_SELF: usize = 152;
pub(super) const LT_NOT_NOT: usize = 153;
pub(super) const LT_NOT_CONST: usize = 154;
pub(super) const LE_SUB_ZERO: usize = 155;
pub(super) const LE_ADD_SELF: usize = 156;
pub(super) const LE_SUB_SELF: usize = 157;
pub(super) const LE_NOT_NOT: usize = 158;
pub(super) const LE_NOT_CONST: usize = 159;
pub(super) const GT_SUB_ZERO: usize = 160;
pub(super) const GT_ADD_SELF: usize = 161;
pub(super) const GT_SUB_SELF: usize = 162;
pub(super) const GT_NOT_NOT: usize = 163;
pub(super) const GT_NOT_CONST: usize = 164;
pub(super) const GE_SUB_ZERO: usize = 165;
pub(super) const GE_ADD_SELF: usize = 166;
pub(super) const GE_SUB_SELF: usize = 167;
pub(super) const GE_NOT_NOT: usize = 168;
pub(super) const GE_NOT_CONST: usize = 169;
pub(super) const ULT_URSHIFT_CONST: usize = 170;
pub(super) const UGE_URSHIFT_CONST: usize = 171;
pub(super) const UGT_URSHIFT_CONST: usize = 172;
pub(super) const ULE_URSHIFT_CONST: usize = 173;
pub(super) const LT_RSHIFT_CONST: usize = 174;
pub(super) const GE_RSHIFT_CONST: usize = 175;
pub(super) const GT_RSHIFT_CONST: usize = 176;
pub(super) const LE_RSHIFT_CONST: usize = 177;
pub(super) const EQ_SIGNS: usize = 178;
pub(super) const NE_SIGNS: usize = 179;
pub(super) const XOR_SIGNS: usize = 180;
pub(super) const TRUNC_ZEXT_BACK: usize = 181;
pub(super) const TRUNC_SEXT_BACK: usize = 182;
pub(super) const TRUNC_ZEXT_LESS: usize = 183;
pub(super) const TRUNC_ZEXT_MORE: usize = 184;
pub(super) const TRUNC_SEXT_LESS: usize = 185;
pub(super) const TRUNC_SEXT_MORE: usize = 186;
pub(super) const ZEXT_ZEXT: usize = 187;
pub(super) const SEXT_SEXT: usize = 188;
pub(super) const SEXT_ZEXT: usize = 189;
pub(super) const ZEXT_AND_ZEXT: usize = 190;
pub(super) const SEXT_AND_ZEXT: usize = 191;
pub(super) const TRUNC_TRUNC: usize = 192;
pub(super) const ZEXT_TRUNC_FITS: usize = 193;
pub(super) const ZEXT_TRUNC: usize = 194;
pub(super) const TRUNC_AND: usize = 195;
pub(super) const AND_SEXT: usize = 196;
pub(super) const XOR_ZEXT_ZEXT: usize = 197;
pub(super) const AND_ZEXT: usize = 198;
pub(super) const EQ_ZEXT_ZEXT: usize = 199;
pub(super) const EQ_SEXT_SEXT: usize = 200;
pub(super) const EQ_ZEXT_CONST: usize = 201;
pub(super) const EQ_SEXT_CONST: usize = 202;
pub(super) const EQ_ZEXT_MASKED: usize = 203;
pub(super) const NE_ZEXT_ZEXT: usize = 204;
pub(super) const NE_SEXT_SEXT: usize = 205;
pub(super) const NE_ZEXT_CONST: usize = 206;
pub(super) const NE_SEXT_CONST: usize = 207;
pub(super) const NE_ZEXT_MASKED: usize = 208;
pub(super) const LT_SEXT_SEXT: usize = 209;
pub(super) const LT_ZEXT_ZEXT: usize = 210;
pub(super) const ULT_ZEXT_ZEXT: usize = 211;
pub(super) const LE_SEXT_SEXT: usize = 212;
pub(super) const LE_ZEXT_ZEXT: usize = 213;
pub(super) const ULE_ZEXT_ZEXT: usize = 214;
pub(super) const GT_SEXT_SEXT: usize = 215;
pub(super) const GT_ZEXT_ZEXT: usize = 216;
pub(super) const UGT_ZEXT_ZEXT: usize = 217;
pub(super) const GE_SEXT_SEXT: usize = 218;
pub(super) const GE_ZEXT_ZEXT: usize = 219;
pub(super) const UGE_ZEXT_ZEXT: usize = 220;
pub(super) const LT_SEXT_CONST: usize = 221;
pub(super) const LE_SEXT_CONST: usize = 222;
pub(super) const GT_SEXT_CONST: usize = 223;
pub(super) const GE_SEXT_CONST: usize = 224;
pub(super) const LT_ZEXT_CONST: usize = 225;
pub(super) const LE_ZEXT_CONST: usize = 226;
pub(super) const GT_ZEXT_CONST: usize = 227;
pub(super) const GE_ZEXT_CONST: usize = 228;
pub(super) const ULT_ZEXT_CONST: usize = 229;
pub(super) const ULE_ZEXT_CONST: usize = 230;
pub(super) const UGT_ZEXT_CONST: usize = 231;
pub(super) const UGE_ZEXT_CONST: usize = 232;
pub(super) const LT_MASKED_ZEXT: usize = 233;
pub(super) const LT_ZEXT_MASKED: usize = 234;
pub(super) const LE_MASKED_ZEXT: usize = 235;
pub(super) const LE_ZEXT_MASKED: usize = 236;
pub(super) const GT_MASKED_ZEXT: usize = 237;
pub(super) const GT_ZEXT_MASKED: usize = 238;
pub(super) const GE_MASKED_ZEXT: usize = 239;
pub(super) const GE_ZEXT_MASKED: usize = 240;
pub(super) const ZEXT_EQ: usize = 241;
pub(super) const ZEXT_NE: usize = 242;
pub(super) const ZEXT_LT: usize = 243;
pub(super) const ZEXT_LE: usize = 244;
pub(super) const ZEXT_GT: usize = 245;
pub(super) const ZEXT_GE: usize = 246;
pub(super) const ZEXT_ULT: usize = 247;
pub(super) const ZEXT_ULE: usize = 248;
pub(super) const ZEXT_UGT: usize = 249;
pub(super) const ZEXT_UGE: usize = 250;
pub(super) const ZEXT_IS_ZERO: usize = 251;
pub(super) const ZEXT_IS_TRUE: usize = 252;
pub(super) const TRUNC_EQ: usize = 253;
pub(super) const TRUNC_NE: usize = 254;
pub(super) const TRUNC_LT: usize = 255;
pub(super) const TRUNC_LE: usize = 256;
pub(super) const TRUNC_GT: usize = 257;
pub(super) const TRUNC_GE: usize = 258;
pub(super) const TRUNC_ULT: usize = 259;
pub(super) const TRUNC_ULE: usize = 260;
pub(super) const TRUNC_UGT: usize = 261;
pub(super) const TRUNC_UGE: usize = 262;
pub(super) const TRUNC_IS_ZERO: usize = 263;
pub(super) const TRUNC_IS_TRUE: usize = 264;
pub(super) const SIGNEXT_FITS: usize = 265;
pub(super) const SIGNEXT_AND: usize = 266;
pub(super) const AND_SIGNEXT: usize = 267;
pub(super) const BITS_OF_FLOAT: usize = 268;
pub(super) const FLOAT_OF_BITS: usize = 269;
pub(super) const FLOAT_OF_RAW_BITS: usize = 270;
pub(super) const FLOAT_CONVERT_BACK: usize = 271;
pub(super) const SIGNED_OF_FLOAT: usize = 272;
pub(super) const SIGNED_OF_FLOAT_SAT: usize = 273;
pub(super) const SEXT_TRUNC_FITS: usize = 274;
pub(super) const SEXT_TRUNC: usize = 275;
pub(super) const SEXT_ADD_CONST: usize = 276;
pub(super) const UDIV_SELF: usize = 277;
pub(super) const UDIV_ZERO: usize = 278;
pub(super) const UREM_ZERO: usize = 279;
pub(super) const UREM_ONE: usize = 280;
pub(super) const UREM_UREM: usize = 281;
pub(super) const SDIV_SELF: usize = 282;
pub(super) const SDIV_ZERO: usize = 283;
pub(super) const SREM_ZERO: usize = 284;
pub(super) const SREM_ONE: usize = 285;
pub(super) const SREM_SREM: usize = 286;
pub(super) const FLOORDIV_SELF: usize = 287;
pub(super) const FLOORDIV_ZERO: usize = 288;
pub(super) const FLOORMOD_ZERO: usize = 289;
pub(super) const FLOORMOD_ONE: usize = 290;
pub(super) const SDIV_MINUS_ONE: usize = 291;
pub(super) const SREM_MINUS_ONE: usize = 292;
pub(super) const SDIV_NONNEGATIVE: usize = 293;
pub(super) const SREM_NONNEGATIVE: usize = 294;
pub(super) const FLOORDIV_MINUS_ONE: usize = 295;
pub(super) const FLOORMOD_MINUS_ONE: usize = 296;
pub(super) const FLOORDIV_NONNEGATIVE: usize = 297;
pub(super) const FLOORMOD_NONNEGATIVE: usize = 298;
pub(super) const UREM_SMALL: usize = 299;
pub(super) const UDIV_SMALL: usize = 300;
pub(super) const UDIV_POW2: usize = 301;
pub(super) const UREM_POW2: usize = 302;
pub(super) const SDIV_POW2_NONNEGATIVE: usize = 303;
pub(super) const SREM_POW2_NONNEGATIVE: usize = 304;
pub(super) const FLOORDIV_POW2: usize = 305;
pub(super) const FLOORMOD_POW2: usize = 306;
pub(super) const SDIV_POW2: usize = 307;
pub(super) const SREM_POW2: usize = 308;
pub(super) const UDIV_LARGE: usize = 309;
pub(super) const UDIV_MAGIC: usize = 310;
pub(super) const UREM_MAGIC: usize = 311;
pub(super) const UDIV_MAGIC_LONG: usize = 312;
pub(super) const UREM_MAGIC_LONG: usize = 313;
pub(super) const SDIV_MAGIC: usize = 314;
pub(super) const SDIV_MAGIC_ADD: usize = 315;
pub(super) const SREM_MAGIC: usize = 316;
pub(super) const SREM_MAGIC_ADD: usize = 317;
pub(super) const FLOORDIV_MAGIC: usize = 318;
pub(super) const FLOORMOD_MAGIC: usize = 319;
pub(super) const ADD_ASSOC: usize = 320;
pub(super) const MUL_ASSOC: usize = 321;
pub(super) const AND_ASSOC: usize = 322;
pub(super) const OR_ASSOC: usize = 323;
pub(super) const XOR_ASSOC: usize = 324;
pub(super) const MUL_DISTRIBUTE: usize = 325;
pub(super) const MUL_FACTOR: usize = 326;
pub(super) const MUL_FACTOR_ONE: usize = 327;
pub(super) const SUB_AS_ADD: usize = 328;
pub(super) const ADD_SUB_ASSOC: usize = 329;
pub(super) const SUB_ADD_ASSOC: usize = 330;
pub(super) const SUB_SUB_ASSOC: usize = 331;
pub(super) const NEG_MUL: usize = 332;
pub(super) const AND_DISTRIBUTE: usize = 333;
pub(super) const OR_DISTRIBUTE: usize = 334;
pub(super) const NOT_AND: usize = 335;
pub(super) const NOT_OR: usize = 336;
pub(super) const LSHIFT_AS_MUL: usize = 337;
pub(super) const LSHIFT_DISTRIBUTE: usize = 338;
pub(super) const LSHIFT_AND: usize = 339;
pub(super) const FADD_MINUS_ZERO: usize = 340;
pub(super) const FSUB_ZERO: usize = 341;
pub(super) const FMUL_ONE: usize = 342;
pub(super) const FMUL_MINUS_ONE: usize = 343;
pub(super) const FDIV_ONE: usize = 344;
pub(super) const FDIV_MINUS_ONE: usize = 345;
pub(super) const FADD_FNEG: usize = 346;
pub(super) const FSUB_FNEG: usize = 347;
pub(super) const FSUB_MINUS_ZERO_LEFT: usize = 348;
pub(super) const FMUL_FNEG_FNEG: usize = 349;
pub(super) const FMUL_FNEG_CONST: usize = 350;
pub(super) const FDIV_FNEG_FNEG: usize = 351;
pub(super) const FDIV_FNEG_CONST: usize = 352;
pub(super) const FABS_FNEG: usize = 353;
pub(super) const FABS_FABS: usize = 354;
pub(super) const FMUL_FABS_SAME: usize = 355;
pub(super) const FEQ_FNEG_FNEG: usize = 356;
pub(super) const FNE_FNEG_FNEG: usize = 357;
pub(super) const FLT_FNEG_FNEG: usize = 358;
pub(super) const FLT_FNEG_CONST: usize = 359;
pub(super) const FLT_CONST_LEFT: usize = 360;
pub(super) const FLE_FNEG_FNEG: usize = 361;
pub(super) const FLE_FNEG_CONST: usize = 362;
pub(super) const FLE_CONST_LEFT: usize = 363;
pub(super) const FGT_FNEG_FNEG: usize = 364;
pub(super) const FGT_FNEG_CONST: usize = 365;
pub(super) const FGT_CONST_LEFT: usize = 366;
pub(super) const FGE_FNEG_FNEG: usize = 367;
pub(super) const FGE_FNEG_CONST: usize = 368;
pub(super) const FGE_CONST_LEFT: usize = 369;
pub(super) const IS_ZERO_FEQ: usize = 370;
pub(super) const IS_ZERO_FNE: usize = 371;
pub(super) const IS_TRUE_FEQ: usize = 372;
pub(super) const IS_TRUE_FNE: usize = 373;
pub(super) const IS_TRUE_FLT: usize = 374;
pub(super) const IS_TRUE_FLE: usize = 375;
pub(super) const IS_TRUE_FGT: usize = 376;
pub(super) const IS_TRUE_FGE: usize = 377;
pub(super) const FCMPL_EQ: usize = 378;
pub(super) const FCMPL_NE: usize = 379;
pub(super) const FCMPG_EQ: usize = 380;
pub(super) const FCMPG_NE: usize = 381;
pub(super) const FCMPL_GT: usize = 382;
pub(super) const FCMPL_GE: usize = 383;
pub(super) const FCMPG_LT: usize = 384;
pub(super) const FCMPG_LE: usize = 385;
pub(super) const MUL_MINUS_ONE: usize = 386;
pub(super) const MUL_POW2: usize = 387;
pub(super) const MUL_MIN: usize = 388;
pub(super) const MUL_SHIFT_OF_ONE: usize = 389;
pub(super) const MUL_SHIFTED_ONE: usize = 390;
pub(super) const MUL_CONSTS: usize = 391;
pub(super) const MUL_NEG_NEG: usize = 392;
pub(super) const MUL_NEG_CONST: usize = 393;
pub(super) const MUL_SHIFT_CONST: usize = 394;
pub(super) const MUL_BOOLS: usize = 395;
pub(super) const UMULH_POW2: usize = 396;
pub(super) const UMULH_ONE: usize = 397;
pub(super) const SMULH_ONE: usize = 398;
pub(super) const ADD_OVF_ZERO: usize = 399;
pub(super) const SUB_OVF_ZERO: usize = 400;
pub(super) const SUB_OVF_SELF: usize = 401;
pub(super) const MUL_OVF_ZERO: usize = 402;
pub(super) const MUL_OVF_ONE: usize = 403;
pub(super) const UADD_OVF_ZERO: usize = 404;
pub(super) const USUB_OVF_ZERO: usize = 405;
pub(super) const USUB_OVF_SELF: usize = 406;
pub(super) const UMUL_OVF_ZERO: usize = 407;
pub(super) const UMUL_OVF_ONE: usize = 408;
pub(super) const ADD_OVF_FITS: usize = 409;
pub(super) const SUB_OVF_FITS: usize = 410;
pub(super) const UADD_OVF_FITS: usize = 411;
pub(super) const USUB_OVF_FITS: usize = 412;
pub(super) const MUL_OVF_MINUS_ONE: usize = 413;
pub(super) const MUL_OVF_TWO: usize = 414;
pub(super) const UMUL_OVF_TWO: usize = 415;
pub(super) const SUB_OVF_CONST: usize = 416;
pub(super) const USUB_OVF_FROM_ALL_ONES: usize = 417;
pub(super) const GUARD_TRUE_IS_TRUE: usize = 418;
pub(super) const GUARD_TRUE_IS_ZERO: usize = 419;
pub(super) const GUARD_FALSE_IS_TRUE: usize = 420;
pub(super) const GUARD_FALSE_IS_ZERO: usize = 421;
pub(super) const GUARD_TRUE_NONZERO: usize = 422;
pub(super) const GUARD_TRUE_ZERO: usize = 423;
pub(super) const GUARD_FALSE_ZERO: usize = 424;
pub(super) const GUARD_FALSE_NONZERO: usize = 425;
pub(super) const GUARD_VALUE_SAME: usize = 426;
pub(super) const GUARD_VALUE_UNEQUAL: usize = 427;
pub(super) const GUARD_VALUE_BOOL_ONE: usize = 428;
pub(super) const GUARD_VALUE_BOOL_ZERO: usize = 429;
pub(super) const BOUNDS_CHECK_INSIDE: usize = 430;
pub(super) const BOUNDS_CHECK_BELOW: usize = 431;
pub(super) const BOUNDS_CHECK_ABOVE: usize = 432;
pub(super) const IS_ZERO_EQ: usize = 433;
pub(super) const IS_ZERO_NE: usize = 434;
pub(super) const IS_ZERO_LT: usize = 435;
pub(super) const IS_ZERO_GE: usize = 436;
pub(super) const IS_ZERO_LE: usize = 437;
pub(super) const IS_ZERO_GT: usize = 438;
pub(super) const IS_ZERO_ULT: usize = 439;
pub(super) const IS_ZERO_UGE: usize = 440;
pub(super) const IS_ZERO_ULE: usize = 441;
pub(super) const IS_ZERO_UGT: usize = 442;
pub(super) const IS_TRUE_EQ: usize = 443;
pub(super) const IS_TRUE_NE: usize = 444;
pub(super) const IS_TRUE_LT: usize = 445;
pub(super) const IS_TRUE_GE: usize = 446;
pub(super) const IS_TRUE_LE: usize = 447;
pub(super) const IS_TRUE_GT: usize = 448;
pub(super) const IS_TRUE_ULT: usize = 449;
pub(super) const IS_TRUE_UGE: usize = 450;
pub(super) const IS_TRUE_ULE: usize = 451;
pub(super) const IS_TRUE_UGT: usize = 452;
pub(super) const IS_ZERO_IS_ZERO: usize = 453;
pub(super) const IS_ZERO_IS_TRUE: usize = 454;
pub(super) const IS_TRUE_IS_ZERO: usize = 455;
pub(super) const IS_TRUE_IS_TRUE: usize = 456;
pub(super) const IS_TRUE_BOOL: usize = 457;
pub(super) const IS_TRUE_NONZERO: usize = 458;
pub(super) const IS_ZERO_NONZERO: usize = 459;
pub(super) const IS_TRUE_SIGN: usize = 460;
pub(super) const IS_ZERO_SIGN: usize = 461;
pub(super) const IS_ZERO_SUB: usize = 462;
pub(super) const IS_ZERO_XOR: usize = 463;
pub(super) const IS_ZERO_ADD_APART: usize = 464;
pub(super) const IS_ZERO_ADD_CONST: usize = 465;
pub(super) const IS_ZERO_NEG: usize = 466;
pub(super) const IS_ZERO_NOT: usize = 467;
pub(super) const IS_ZERO_ABS: usize = 468;
pub(super) const IS_ZERO_POPCOUNT: usize = 469;
pub(super) const IS_ZERO_BSWAP: usize = 470;
pub(super) const IS_ZERO_ROTL: usize = 471;
pub(super) const IS_ZERO_ROTR: usize = 472;
pub(super) const IS_ZERO_ZEXT: usize = 473;
pub(super) const IS_ZERO_SEXT: usize = 474;
pub(super) const IS_ZERO_MUL_ODD: usize = 475;
pub(super) const IS_ZERO_URSHIFT: usize = 476;
pub(super) const IS_TRUE_SUB: usize = 477;
pub(super) const IS_TRUE_XOR: usize = 478;
pub(super) const IS_TRUE_ADD_CONST: usize = 479;
pub(super) const IS_TRUE_NEG: usize = 480;
pub(super) const IS_TRUE_NOT: usize = 481;
pub(super) const IS_TRUE_ABS: usize = 482;
pub(super) const IS_TRUE_POPCOUNT: usize = 483;
pub(super) const IS_TRUE_ZEXT: usize = 484;
pub(super) const IS_TRUE_SEXT: usize = 485;
pub(super) const IS_TRUE_MUL_ODD: usize = 486;
pub(super) const IS_TRUE_URSHIFT: usize = 487;
pub(super) const AND_IS_ZERO: usize = 488;
pub(super) const OR_IS_TRUE: usize = 489;
pub(super) const OR_LT_EQ: usize = 490;
pub(super) const OR_GT_EQ: usize = 491;
pub(super) const AND_LE_NE: usize = 492;
pub(super) const AND_GE_NE: usize = 493;
pub(super) const AND_IS_TRUE_NO_MORE: usize = 494;
pub(super) const OR_IS_ZERO_MORE: usize = 495;
pub(super) const IS_ZERO_NO_MORE: usize = 496;
pub(super) const IS_TRUE_MORE: usize = 497;
pub(super) const AND_IS_TRUE_EQ_POPCOUNT: usize = 498;
pub(super) const OR_IS_ZERO_NE_POPCOUNT: usize = 499;
pub(super) const OR_LT_GT: usize = 500;
pub(super) const AND_LE_GE: usize = 501;
pub(super) const OR_ULT_EQ: usize = 502;
pub(super) const OR_UGT_EQ: usize = 503;
pub(super) const AND_ULE_NE: usize = 504;
pub(super) const AND_UGE_NE: usize = 505;
pub(super) const OR_ULT_UGT: usize = 506;
pub(super) const AND_ULE_UGE: usize = 507;
pub(super) const AND_RANGE: usize = 508;
pub(super) const OR_RANGE: usize = 509;
pub(super) const IS_ZERO_SREM_POW2: usize = 510;
pub(super) const IS_TRUE_SREM_POW2: usize = 511;
pub(super) const AND_LT_BOUNDS: usize = 512;
pub(super) const OR_LT_BOUNDS: usize = 513;
pub(super) const AND_LE_BOUNDS: usize = 514;
pub(super) const OR_LE_BOUNDS: usize = 515;
pub(super) const AND_GT_BOUNDS: usize = 516;
pub(super) const OR_GT_BOUNDS: usize = 517;
pub(super) const AND_GE_BOUNDS: usize = 518;
pub(super) const OR_GE_BOUNDS: usize = 519;
pub(super) const AND_ULT_BOUNDS: usize = 520;
pub(super) const OR_ULT_BOUNDS: usize = 521;
pub(super) const AND_ULE_BOUNDS: usize = 522;
pub(super) const OR_ULE_BOUNDS: usize = 523;
pub(super) const AND_UGT_BOUNDS: usize = 524;
pub(super) const OR_UGT_BOUNDS: usize = 525;
pub(super) const AND_UGE_BOUNDS: usize = 526;
pub(super) const OR_UGE_BOUNDS: usize = 527;
pub(super) const IS_ZERO_HIGH_MASK: usize = 528;
pub(super) const IS_TRUE_HIGH_MASK: usize = 529;
pub(super) const EQ_HIGH_MASK_ALL: usize = 530;
pub(super) const EQ_HIGH_MASK_LEAST: usize = 531;
pub(super) const EQ_HIGH_MASK_MOST: usize = 532;
pub(super) const NE_HIGH_MASK_ALL: usize = 533;
pub(super) const NE_HIGH_MASK_LEAST: usize = 534;
pub(super) const NE_HIGH_MASK_MOST: usize = 535;
pub(super) const IS_ZERO_RSHIFT: usize = 536;
pub(super) const IS_TRUE_RSHIFT: usize = 537;
pub(super) const EQ_RSHIFT_ONES: usize = 538;
pub(super) const EQ_RSHIFT_LEAST: usize = 539;
pub(super) const EQ_RSHIFT_MOST: usize = 540;
pub(super) const EQ_URSHIFT_MOST: usize = 541;
pub(super) const NE_RSHIFT_ONES: usize = 542;
pub(super) const NE_RSHIFT_LEAST: usize = 543;
pub(super) const NE_RSHIFT_MOST: usize = 544;
pub(super) const NE_URSHIFT_MOST: usize = 545;
pub(super) const AND_GE_LT_CONST: usize = 546;
pub(super) const AND_GE_LE_CONST: usize = 547;
pub(super) const AND_GT_LT_CONST: usize = 548;
pub(super) const AND_GT_LE_CONST: usize = 549;
pub(super) const OR_LT_GE_CONST: usize = 550;
pub(super) const OR_LT_GT_CONST: usize = 551;
pub(super) const OR_LE_GE_CONST: usize = 552;
pub(super) const OR_LE_GT_CONST: usize = 553;
pub(super) const AND_UGE_ULT_CONST: usize = 554;
pub(super) const AND_UGE_ULE_CONST: usize = 555;
pub(super) const AND_UGT_ULT_CONST: usize = 556;
pub(super) const AND_UGT_ULE_CONST: usize = 557;
pub(super) const OR_ULT_UGE_CONST: usize = 558;
pub(super) const OR_ULT_UGT_CONST: usize = 559;
pub(super) const OR_ULE_UGE_CONST: usize = 560;
pub(super) const OR_ULE_UGT_CONST: usize = 561;
pub(super) const ULT_FLIPPED_SIGN: usize = 562;
pub(super) const LT_FLIPPED_SIGN: usize = 563;
pub(super) const ULT_FLIPPED_SIGNS: usize = 564;
pub(super) const LT_FLIPPED_SIGNS: usize = 565;
pub(super) const ULE_FLIPPED_SIGN: usize = 566;
pub(super) const LE_FLIPPED_SIGN: usize = 567;
pub(super) const ULE_FLIPPED_SIGNS: usize = 568;
pub(super) const LE_FLIPPED_SIGNS: usize = 569;
pub(super) const UGT_FLIPPED_SIGN: usize = 570;
pub(super) const GT_FLIPPED_SIGN: usize = 571;
pub(super) const UGT_FLIPPED_SIGNS: usize = 572;
pub(super) const GT_FLIPPED_SIGNS: usize = 573;
pub(super) const UGE_FLIPPED_SIGN: usize = 574;
pub(super) const GE_FLIPPED_SIGN: usize = 575;
pub(super) const UGE_FLIPPED_SIGNS: usize = 576;
pub(super) const GE_FLIPPED_SIGNS: usize = 577;
pub(super) const EQ_CTZ_WIDTH: usize = 578;
pub(super) const NE_CTZ_WIDTH: usize = 579;
pub(super) const EQ_CLZ_WIDTH: usize = 580;
pub(super) const NE_CLZ_WIDTH: usize = 581;
pub(super) const ULT_CLZ_CONST: usize = 582;
pub(super) const UGT_CLZ_CONST: usize = 583;
pub(super) const IS_ZERO_UDIV: usize = 584;
pub(super) const IS_TRUE_UDIV: usize = 585;
pub(super) const EQ_SREM_POW2: usize = 586;
pub(super) const EQ_SREM_POW2_BELOW: usize = 587;
pub(super) const NE_SREM_POW2: usize = 588;
pub(super) const NE_SREM_POW2_BELOW: usize = 589;
pub(super) const EQ_AND_ZEXT: usize = 590;
pub(super) const NE_AND_ZEXT: usize = 591;
pub(super) const IS_ZERO_AND_ZEXT: usize = 592;
pub(super) const IS_TRUE_AND_ZEXT: usize = 593;
pub(super) const ULT_ADD_ZEXT: usize = 594;
pub(super) const ULT_ADD_SEXT: usize = 595;
pub(super) const UGE_ADD_ZEXT: usize = 596;
pub(super) const UGE_ADD_SEXT: usize = 597;
pub(super) const SELECT_NONZERO: usize = 598;
pub(super) const SELECT_ZERO: usize = 599;
pub(super) const SELECT_EQ_POPCOUNT: usize = 600;
pub(super) const SELECT_NE_POPCOUNT: usize = 601;
pub(super) const SELECT_SAME: usize = 602;
pub(super) const SELECT_IS_TRUE: usize = 603;
pub(super) const SELECT_IS_ZERO: usize = 604;
pub(super) const SELECT_EQ: usize = 605;
pub(super) const SELECT_NE: usize = 606;
pub(super) const SELECT_SELF_ZERO: usize = 607;
pub(super) const SELECT_ONE_ZERO: usize = 608;
pub(super) const SELECT_ZERO_ONE: usize = 609;
pub(super) const SELECT_BITS: usize = 610;
pub(super) const SELECT_BITS_NEGATED: usize = 611;
pub(super) const SELECT_NESTED_THEN: usize = 612;
pub(super) const SELECT_NESTED_ELSE: usize = 613;
pub(super) const SELECT_LT: usize = 614;
pub(super) const SELECT_LT_SWAPPED: usize = 615;
pub(super) const SELECT_LE: usize = 616;
pub(super) const SELECT_LE_SWAPPED: usize = 617;
pub(super) const SELECT_GT: usize = 618;
pub(super) const SELECT_GT_SWAPPED: usize = 619;
pub(super) const SELECT_GE: usize = 620;
pub(super) const SELECT_GE_SWAPPED: usize = 621;
pub(super) const SELECT_ULT: usize = 622;
pub(super) const SELECT_ULT_SWAPPED: usize = 623;
pub(super) const SELECT_ULE: usize = 624;
pub(super) const SELECT_ULE_SWAPPED: usize = 625;
pub(super) const SELECT_UGT: usize = 626;
pub(super) const SELECT_UGT_SWAPPED: usize = 627;
pub(super) const SELECT_UGE: usize = 628;
pub(super) const SELECT_UGE_SWAPPED: usize = 629;
pub(super) const SELECT_ABS_LT: usize = 630;
pub(super) const SELECT_ABS_LE: usize = 631;
pub(super) const SELECT_ABS_GE: usize = 632;
pub(super) const SELECT_ABS_GT: usize = 633;
pub(super) const MIN_KNOWN: usize = 634;
pub(super) const MAX_KNOWN: usize = 635;
pub(super) const MIN_MIN_SELF: usize = 636;
pub(super) const MIN_MAX_SELF: usize = 637;
pub(super) const MIN_CONSTS: usize = 638;
pub(super) const MAX_MAX_SELF: usize = 639;
pub(super) const MAX_MIN_SELF: usize = 640;
pub(super) const MAX_CONSTS: usize = 641;
pub(super) const UMIN_KNOWN: usize = 642;
pub(super) const UMAX_KNOWN: usize = 643;
pub(super) const UMIN_UMIN_SELF: usize = 644;
pub(super) const UMIN_UMAX_SELF: usize = 645;
pub(super) const UMIN_CONSTS: usize = 646;
pub(super) const UMAX_UMAX_SELF: usize = 647;
pub(super) const UMAX_UMIN_SELF: usize = 648;
pub(super) const UMAX_CONSTS: usize = 649;
pub(super) const ABS_NONNEGATIVE: usize = 650;
pub(super) const ABS_NEGATIVE: usize = 651;
pub(super) const ABS_NEG: usize = 652;
pub(super) const ABS_ABS: usize = 653;
pub(super) const FORCE_GE_ZERO_NONNEGATIVE: usize = 654;
pub(super) const FORCE_GE_ZERO_NEGATIVE: usize = 655;
pub(super) const SELECT_ADD_ONE: usize = 656;
pub(super) const SELECT_ADD_ONE_ELSE: usize = 657;
pub(super) const SELECT_MINUS_ONE: usize = 658;
pub(super) const SELECT_MINUS_ONE_ELSE: usize = 659;
pub(super) const SELECT_CLAMP_LT: usize = 660;
pub(super) const SELECT_CLAMP_LE: usize = 661;
pub(super) const SELECT_CLAMP_GT: usize = 662;
pub(super) const SELECT_CLAMP_GE: usize = 663;
pub(super) const SELECT_SIGN: usize = 664;
pub(super) const SELECT_ABS_SUB_LT: usize = 665;
pub(super) const SELECT_ABS_SUB_LE: usize = 666;
pub(super) const SELECT_ABS_SUB_GE: usize = 667;
pub(super) const SELECT_ABS_SUB_GT: usize = 668;
pub(super) const SELECT_BITS_ZERO: usize = 669;
pub(super) const SELECT_LT_ZERO_SUB: usize = 670;
pub(super) const SELECT_LE_ZERO_SUB: usize = 671;
pub(super) const SELECT_GT_SUB_ZERO: usize = 672;
pub(super) const SELECT_GE_SUB_ZERO: usize = 673;
pub(super) const SELECT_ULT_ZERO_SUB: usize = 674;
pub(super) const SELECT_ULE_ZERO_SUB: usize = 675;
pub(super) const SELECT_UGT_SUB_ZERO: usize = 676;
pub(super) const SELECT_UGE_SUB_ZERO: usize = 677;
pub(super) const SELECT_ULT_ZERO_SUB_ZEXT: usize = 678;
pub(super) const SELECT_ULE_ZERO_SUB_ZEXT: usize = 679;
pub(super) const SELECT_UGT_SUB_ZEXT_ZERO: usize = 680;
pub(super) const SELECT_UGE_SUB_ZEXT_ZERO: usize = 681;
pub(super) const SELECT_ABS_SEXT_LT: usize = 682;
pub(super) const SELECT_ABS_SEXT_LE: usize = 683;
pub(super) const SELECT_ABS_SEXT_GT: usize = 684;
pub(super) const SELECT_ABS_SEXT_GE: usize = 685;
pub(super) const SELECT_LT_SEXT_CONST: usize = 686;
pub(super) const SELECT_LT_CONST_SEXT: usize = 687;
pub(super) const SELECT_LT_SEXT: usize = 688;
pub(super) const SELECT_LT_SEXT_SWAPPED: usize = 689;
pub(super) const SELECT_LE_SEXT_CONST: usize = 690;
pub(super) const SELECT_LE_CONST_SEXT: usize = 691;
pub(super) const SELECT_LE_SEXT: usize = 692;
pub(super) const SELECT_LE_SEXT_SWAPPED: usize = 693;
pub(super) const SELECT_GT_SEXT_CONST: usize = 694;
pub(super) const SELECT_GT_CONST_SEXT: usize = 695;
pub(super) const SELECT_GT_SEXT: usize = 696;
pub(super) const SELECT_GT_SEXT_SWAPPED: usize = 697;
pub(super) const SELECT_GE_SEXT_CONST: usize = 698;
pub(super) const SELECT_GE_CONST_SEXT: usize = 699;
pub(super) const SELECT_GE_SEXT: usize = 700;
pub(super) const SELECT_GE_SEXT_SWAPPED: usize = 701;
pub(super) const SELECT_ULT_ZEXT_CONST: usize = 702;
pub(super) const SELECT_ULT_CONST_ZEXT: usize = 703;
pub(super) const SELECT_ULT_ZEXT: usize = 704;
pub(super) const SELECT_ULT_ZEXT_SWAPPED: usize = 705;
pub(super) const SELECT_ULE_ZEXT_CONST: usize = 706;
pub(super) const SELECT_ULE_CONST_ZEXT: usize = 707;
pub(super) const SELECT_ULE_ZEXT: usize = 708;
pub(super) const SELECT_ULE_ZEXT_SWAPPED: usize = 709;
pub(super) const SELECT_UGT_ZEXT_CONST: usize = 710;
pub(super) const SELECT_UGT_CONST_ZEXT: usize = 711;
pub(super) const SELECT_UGT_ZEXT: usize = 712;
pub(super) const SELECT_UGT_ZEXT_SWAPPED: usize = 713;
pub(super) const SELECT_UGE_ZEXT_CONST: usize = 714;
pub(super) const SELECT_UGE_CONST_ZEXT: usize = 715;
pub(super) const SELECT_UGE_ZEXT: usize = 716;
pub(super) const SELECT_UGE_ZEXT_SWAPPED: usize = 717;
pub(super) const LSHIFT_ZERO: usize = 718;
pub(super) const RSHIFT_ZERO: usize = 719;
pub(super) const URSHIFT_ZERO: usize = 720;
pub(super) const RSHIFT_MINUS_ONE: usize = 721;
pub(super) const LSHIFT_RSHIFT: usize = 722;
pub(super) const LSHIFT_URSHIFT: usize = 723;
pub(super) const LSHIFT_AND_RSHIFT: usize = 724;
pub(super) const LSHIFT_AND_URSHIFT: usize = 725;
pub(super) const URSHIFT_LSHIFT: usize = 726;
pub(super) const RSHIFT_LSHIFT: usize = 727;
pub(super) const URSHIFT_LSHIFT_EXACT: usize = 728;
pub(super) const LSHIFT_LSHIFT: usize = 729;
pub(super) const LSHIFT_LSHIFT_OUT: usize = 730;
pub(super) const URSHIFT_URSHIFT: usize = 731;
pub(super) const URSHIFT_URSHIFT_OUT: usize = 732;
pub(super) const LSHIFT_URSHIFT_MORE: usize = 733;
pub(super) const LSHIFT_URSHIFT_LESS: usize = 734;
pub(super) const LSHIFT_RSHIFT_MORE: usize = 735;
pub(super) const LSHIFT_RSHIFT_LESS: usize = 736;
pub(super) const URSHIFT_LSHIFT_MORE: usize = 737;
pub(super) const URSHIFT_LSHIFT_LESS: usize = 738;
pub(super) const RSHIFT_LSHIFT_MORE: usize = 739;
pub(super) const RSHIFT_LSHIFT_LESS: usize = 740;
pub(super) const RSHIFT_RSHIFT: usize = 741;
pub(super) const RSHIFT_URSHIFT: usize = 742;
pub(super) const RSHIFT_URSHIFT_OUT: usize = 743;
pub(super) const URSHIFT_RSHIFT_SIGN: usize = 744;
pub(super) const LSHIFT_MUL_CONST: usize = 745;
pub(super) const LSHIFT_ADD_URSHIFT: usize = 746;
pub(super) const LSHIFT_ADD_RSHIFT: usize = 747;
pub(super) const ROTR_CONST: usize = 748;
pub(super) const ROTL_ROTL: usize = 749;
pub(super) const ROTL_ROTR: usize = 750;
pub(super) const ROTR_ROTL: usize = 751;
pub(super) const OR_ROTATE: usize = 752;
pub(super) const SUB_CONST: usize = 753;
pub(super) const SUB_ZERO_LEFT: usize = 754;
pub(super) const SUB_MINUS_ONE_LEFT: usize = 755;
pub(super) const SUB_ADD_CANCEL: usize = 756;
pub(super) const SUB_FROM_PART: usize = 757;
pub(super) const SUB_CONST_SUB: usize = 758;
pub(super) const SUB_CONST_ADD: usize = 759;
pub(super) const SUB_XOR_DISJOINT: usize = 760;
pub(super) const SUB_OR_DISJOINT: usize = 761;
pub(super) const SUB_NEG: usize = 762;
pub(super) const SUB_SUB_SELF: usize = 763;
pub(super) const SUB_SUB_LEFT_SELF: usize = 764;
pub(super) const SUB_OR_AND: usize = 765;
pub(super) const SUB_OR_XOR: usize = 766;
pub(super) const SUB_AND_CONST_SELF: usize = 767;
pub(super) const SUB_ADD_OR: usize = 768;
pub(super) const SUB_ADD_AND: usize = 769;
pub(super) const SUB_NOT_NOT: usize = 770;
pub(super) const SUB_COMMON_TERM: usize = 771;
pub(super) const SUB_COMMON_MINUEND: usize = 772;
pub(super) const SUB_COMMON_SUBTRAHEND: usize = 773;
pub(super) const SUB_MULTIPLE_SELF: usize = 774;
pub(super) const SUB_FACTOR: usize = 775;
pub(super) const NEG_SUB: usize = 776;
pub(super) const NEG_ADD_CONST: usize = 777;
pub(super) const NEG_NOT: usize = 778;
pub(super) const NEG_MUL_CONST: usize = 779;
pub(super) const NEG_SIGN: usize = 780;
pub(super) const NEG_SIGN_BIT: usize = 781;
pub(super) const SUB_SHIFTED: usize = 782;
pub(super) const SUB_LOWEST_BIT: usize = 783;
pub(super) const SUB_XOR_SIGN: usize = 784;
pub(super) const NEG_LOW_SIGN: usize = 785;

/// Every rule, by its number.
pub static RULES: [RuleInfo; 786] = [
    RuleInfo { name: "add_consts", file: "rules/add.rules", line: 5, root: planish_ops::Op::Add, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "add_const_minus", file: "rules/add.rules", line: 10, root: planish_ops::Op::Add, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "add_sub_cancel", file: "rules/add.rules", line: 15, root: planish_ops::Op::Add, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "add_neg", file: "rules/add.rules", line: 19, root: planish_ops::Op::Add, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "add_neg_const", file: "rules/add.rules", line: 23, root: planish_ops::Op::Add, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "add_neg_neg", file: "rules/add.rules", line: 27, root: planish_ops::Op::Add, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "add_same", file: "rules/add.rules", line: 31, root: planish_ops::Op::Add, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_and_or", file: "rules/add.rules", line: 36, root: planish_ops::Op::Add, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_xor_and", file: "rules/add.rules", line: 40, root: planish_ops::Op::Add, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_not_self", file: "rules/add.rules", line: 44, root: planish_ops::Op::Add, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_not_one", file: "rules/add.rules", line: 48, root: planish_ops::Op::Add, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "add_differences", file: "rules/add.rules", line: 52, root: planish_ops::Op::Add, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_multiple_self", file: "rules/add.rules", line: 56, root: planish_ops::Op::Add, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "add_factor", file: "rules/add.rules", line: 61, root: planish_ops::Op::Add, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "add_shifted", file: "rules/add.rules", line: 65, root: planish_ops::Op::Add, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "add_udiv_urem", file: "rules/add.rules", line: 69, root: planish_ops::Op::Add, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_sdiv_srem", file: "rules/add.rules", line: 73, root: planish_ops::Op::Add, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_floordiv_floormod", file: "rules/add.rules", line: 77, root: planish_ops::Op::Add, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_minus_cancel", file: "rules/add.rules", line: 81, root: planish_ops::Op::Add, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_multiple_udiv", file: "rules/add.rules", line: 85, root: planish_ops::Op::Add, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "add_multiple_sdiv", file: "rules/add.rules", line: 90, root: planish_ops::Op::Add, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "add_multiple_floordiv", file: "rules/add.rules", line: 95, root: planish_ops::Op::Add, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "add_umax_bits_minus_one", file: "rules/add.rules", line: 100, root: planish_ops::Op::Add, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "add_max_bits_minus_one", file: "rules/add.rules", line: 105, root: planish_ops::Op::Add, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "popcount_bswap", file: "rules/bits.rules", line: 5, root: planish_ops::Op::Popcount, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_consts", file: "rules/bits.rules", line: 9, root: planish_ops::Op::And, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "or_consts", file: "rules/bits.rules", line: 14, root: planish_ops::Op::Or, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "xor_consts", file: "rules/bits.rules", line: 19, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "and_covered", file: "rules/bits.rules", line: 24, root: planish_ops::Op::And, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "or_covered", file: "rules/bits.rules", line: 29, root: planish_ops::Op::Or, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "and_or_masked", file: "rules/bits.rules", line: 34, root: planish_ops::Op::And, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "and_xor_masked", file: "rules/bits.rules", line: 39, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_absorbs_or", file: "rules/bits.rules", line: 44, root: planish_ops::Op::And, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "or_absorbs_and", file: "rules/bits.rules", line: 48, root: planish_ops::Op::Or, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "and_and_self", file: "rules/bits.rules", line: 52, root: planish_ops::Op::And, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "or_or_self", file: "rules/bits.rules", line: 56, root: planish_ops::Op::Or, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "xor_xor_self", file: "rules/bits.rules", line: 60, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "and_not_self", file: "rules/bits.rules", line: 64, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_not_self", file: "rules/bits.rules", line: 68, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "xor_not_self", file: "rules/bits.rules", line: 72, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_or_not", file: "rules/bits.rules", line: 76, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_and_not", file: "rules/bits.rules", line: 80, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_not_not", file: "rules/bits.rules", line: 84, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_not_not", file: "rules/bits.rules", line: 88, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "xor_minus_one", file: "rules/bits.rules", line: 92, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "xor_not_not", file: "rules/bits.rules", line: 96, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "xor_not_const", file: "rules/bits.rules", line: 100, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "not_xor_const", file: "rules/bits.rules", line: 105, root: planish_ops::Op::Not, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "not_add_const", file: "rules/bits.rules", line: 110, root: planish_ops::Op::Not, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "not_sub_const", file: "rules/bits.rules", line: 115, root: planish_ops::Op::Not, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "not_neg", file: "rules/bits.rules", line: 120, root: planish_ops::Op::Not, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "not_bit", file: "rules/bits.rules", line: 124, root: planish_ops::Op::Not, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "xor_bool_one", file: "rules/bits.rules", line: 128, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "or_two_masks", file: "rules/bits.rules", line: 133, root: planish_ops::Op::Or, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "xor_two_masks", file: "rules/bits.rules", line: 138, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_xor_const_self", file: "rules/bits.rules", line: 143, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "xor_masked_choice", file: "rules/bits.rules", line: 148, root: planish_ops::Op::Xor, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "xor_and_const_self", file: "rules/bits.rules", line: 153, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "xor_or_const_self", file: "rules/bits.rules", line: 158, root: planish_ops::Op::Xor, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "xor_or_const_same", file: "rules/bits.rules", line: 162, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_common_or", file: "rules/bits.rules", line: 167, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_common_and", file: "rules/bits.rules", line: 171, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "xor_common_and", file: "rules/bits.rules", line: 175, root: planish_ops::Op::Xor, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_both_ways", file: "rules/bits.rules", line: 179, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_both_ways", file: "rules/bits.rules", line: 183, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "xor_and_or", file: "rules/bits.rules", line: 187, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "xor_xor_or", file: "rules/bits.rules", line: 191, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "xor_xor_and", file: "rules/bits.rules", line: 195, root: planish_ops::Op::Xor, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_xor_and", file: "rules/bits.rules", line: 199, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_xor_self", file: "rules/bits.rules", line: 203, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_or_xor", file: "rules/bits.rules", line: 207, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_or_xor", file: "rules/bits.rules", line: 211, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_or_and", file: "rules/bits.rules", line: 215, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_and_or", file: "rules/bits.rules", line: 219, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_xor_and", file: "rules/bits.rules", line: 223, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_lshift_common", file: "rules/bits.rules", line: 227, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_lshift_common", file: "rules/bits.rules", line: 231, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "xor_lshift_common", file: "rules/bits.rules", line: 235, root: planish_ops::Op::Xor, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_urshift_common", file: "rules/bits.rules", line: 239, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_urshift_common", file: "rules/bits.rules", line: 243, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "xor_urshift_common", file: "rules/bits.rules", line: 247, root: planish_ops::Op::Xor, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_rshift_common", file: "rules/bits.rules", line: 251, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_rshift_common", file: "rules/bits.rules", line: 255, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "xor_add_sign", file: "rules/bits.rules", line: 259, root: planish_ops::Op::Xor, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "xor_rshift_common", file: "rules/bits.rules", line: 264, root: planish_ops::Op::Xor, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_add_const", file: "rules/compare.rules", line: 6, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "eq_const_sub", file: "rules/compare.rules", line: 11, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_xor_const", file: "rules/compare.rules", line: 16, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_not_const", file: "rules/compare.rules", line: 21, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_neg_const", file: "rules/compare.rules", line: 26, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_neg_neg", file: "rules/compare.rules", line: 31, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_not_not", file: "rules/compare.rules", line: 35, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_add_self", file: "rules/compare.rules", line: 39, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "eq_sub_self", file: "rules/compare.rules", line: 43, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_xor_self", file: "rules/compare.rules", line: 47, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_add_common", file: "rules/compare.rules", line: 51, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_sub_common", file: "rules/compare.rules", line: 55, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_sub_common_right", file: "rules/compare.rules", line: 59, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_xor_common", file: "rules/compare.rules", line: 63, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_sub_zero", file: "rules/compare.rules", line: 67, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "eq_xor_zero", file: "rules/compare.rules", line: 71, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "eq_zero", file: "rules/compare.rules", line: 75, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "eq_and_and", file: "rules/compare.rules", line: 79, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_mask_bit", file: "rules/compare.rules", line: 83, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_add_const", file: "rules/compare.rules", line: 88, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "ne_const_sub", file: "rules/compare.rules", line: 93, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_xor_const", file: "rules/compare.rules", line: 98, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_not_const", file: "rules/compare.rules", line: 103, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_neg_const", file: "rules/compare.rules", line: 108, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_neg_neg", file: "rules/compare.rules", line: 113, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_not_not", file: "rules/compare.rules", line: 117, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_add_self", file: "rules/compare.rules", line: 121, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "ne_sub_self", file: "rules/compare.rules", line: 125, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_xor_self", file: "rules/compare.rules", line: 129, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_add_common", file: "rules/compare.rules", line: 133, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_sub_common", file: "rules/compare.rules", line: 137, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_sub_common_right", file: "rules/compare.rules", line: 141, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_xor_common", file: "rules/compare.rules", line: 145, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_zero", file: "rules/compare.rules", line: 149, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "ne_and_and", file: "rules/compare.rules", line: 153, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_mask_bit", file: "rules/compare.rules", line: 157, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_bool_one", file: "rules/compare.rules", line: 162, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "ne_bool_one", file: "rules/compare.rules", line: 167, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_bit", file: "rules/compare.rules", line: 172, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_bit", file: "rules/compare.rules", line: 176, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_sub_eq", file: "rules/compare.rules", line: 180, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "eq_unequal", file: "rules/compare.rules", line: 184, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "ne_unequal", file: "rules/compare.rules", line: 189, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "lt_const_left", file: "rules/compare.rules", line: 194, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_const_left", file: "rules/compare.rules", line: 198, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_const_left", file: "rules/compare.rules", line: 202, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_const_left", file: "rules/compare.rules", line: 206, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ult_const_left", file: "rules/compare.rules", line: 210, root: planish_ops::Op::Ult, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ule_const_left", file: "rules/compare.rules", line: 214, root: planish_ops::Op::Ule, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ugt_const_left", file: "rules/compare.rules", line: 218, root: planish_ops::Op::Ugt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "uge_const_left", file: "rules/compare.rules", line: 222, root: planish_ops::Op::Uge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_maxint", file: "rules/compare.rules", line: 226, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_maxint", file: "rules/compare.rules", line: 230, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_minint", file: "rules/compare.rules", line: 234, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_minint", file: "rules/compare.rules", line: 238, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ult_one", file: "rules/compare.rules", line: 242, root: planish_ops::Op::Ult, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "uge_one", file: "rules/compare.rules", line: 246, root: planish_ops::Op::Uge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ugt_zero", file: "rules/compare.rules", line: 250, root: planish_ops::Op::Ugt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ule_zero", file: "rules/compare.rules", line: 254, root: planish_ops::Op::Ule, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ult_all_ones", file: "rules/compare.rules", line: 258, root: planish_ops::Op::Ult, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "uge_all_ones", file: "rules/compare.rules", line: 262, root: planish_ops::Op::Uge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ult_sign", file: "rules/compare.rules", line: 266, root: planish_ops::Op::Ult, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "uge_sign", file: "rules/compare.rules", line: 270, root: planish_ops::Op::Uge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ugt_maxint", file: "rules/compare.rules", line: 274, root: planish_ops::Op::Ugt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ule_maxint", file: "rules/compare.rules", line: 278, root: planish_ops::Op::Ule, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_sub_zero", file: "rules/compare.rules", line: 282, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_add_self", file: "rules/compare.rules", line: 287, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_sub_self", file: "rules/compare.rules", line: 292, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_not_not", file: "rules/compare.rules", line: 297, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_not_const", file: "rules/compare.rules", line: 301, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_sub_zero", file: "rules/compare.rules", line: 306, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_add_self", file: "rules/compare.rules", line: 311, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_sub_self", file: "rules/compare.rules", line: 316, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_not_not", file: "rules/compare.rules", line: 321, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_not_const", file: "rules/compare.rules", line: 325, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_sub_zero", file: "rules/compare.rules", line: 330, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_add_self", file: "rules/compare.rules", line: 335, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_sub_self", file: "rules/compare.rules", line: 340, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_not_not", file: "rules/compare.rules", line: 345, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_not_const", file: "rules/compare.rules", line: 349, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_sub_zero", file: "rules/compare.rules", line: 354, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_add_self", file: "rules/compare.rules", line: 359, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_sub_self", file: "rules/compare.rules", line: 364, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_not_not", file: "rules/compare.rules", line: 369, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_not_const", file: "rules/compare.rules", line: 373, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ult_urshift_const", file: "rules/compare.rules", line: 378, root: planish_ops::Op::Ult, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "uge_urshift_const", file: "rules/compare.rules", line: 384, root: planish_ops::Op::Uge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ugt_urshift_const", file: "rules/compare.rules", line: 390, root: planish_ops::Op::Ugt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ule_urshift_const", file: "rules/compare.rules", line: 396, root: planish_ops::Op::Ule, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_rshift_const", file: "rules/compare.rules", line: 402, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_rshift_const", file: "rules/compare.rules", line: 408, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_rshift_const", file: "rules/compare.rules", line: 414, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_rshift_const", file: "rules/compare.rules", line: 420, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_signs", file: "rules/compare.rules", line: 426, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_signs", file: "rules/compare.rules", line: 430, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "xor_signs", file: "rules/compare.rules", line: 434, root: planish_ops::Op::Xor, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "trunc_zext_back", file: "rules/convert.rules", line: 3, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_sext_back", file: "rules/convert.rules", line: 7, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_zext_less", file: "rules/convert.rules", line: 11, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_zext_more", file: "rules/convert.rules", line: 16, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_sext_less", file: "rules/convert.rules", line: 21, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_sext_more", file: "rules/convert.rules", line: 26, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_zext", file: "rules/convert.rules", line: 31, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sext_sext", file: "rules/convert.rules", line: 35, root: planish_ops::Op::Sext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sext_zext", file: "rules/convert.rules", line: 39, root: planish_ops::Op::Sext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_and_zext", file: "rules/convert.rules", line: 43, root: planish_ops::Op::Zext, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "sext_and_zext", file: "rules/convert.rules", line: 48, root: planish_ops::Op::Sext, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "trunc_trunc", file: "rules/convert.rules", line: 54, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_trunc_fits", file: "rules/convert.rules", line: 58, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_trunc", file: "rules/convert.rules", line: 64, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_and", file: "rules/convert.rules", line: 69, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_sext", file: "rules/convert.rules", line: 74, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "xor_zext_zext", file: "rules/convert.rules", line: 79, root: planish_ops::Op::Xor, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_zext", file: "rules/convert.rules", line: 83, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_zext_zext", file: "rules/convert.rules", line: 88, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_sext_sext", file: "rules/convert.rules", line: 92, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_zext_const", file: "rules/convert.rules", line: 96, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_sext_const", file: "rules/convert.rules", line: 102, root: planish_ops::Op::Eq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "eq_zext_masked", file: "rules/convert.rules", line: 108, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_zext_zext", file: "rules/convert.rules", line: 113, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_sext_sext", file: "rules/convert.rules", line: 117, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_zext_const", file: "rules/convert.rules", line: 121, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_sext_const", file: "rules/convert.rules", line: 127, root: planish_ops::Op::Ne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ne_zext_masked", file: "rules/convert.rules", line: 133, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "lt_sext_sext", file: "rules/convert.rules", line: 138, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_zext_zext", file: "rules/convert.rules", line: 142, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ult_zext_zext", file: "rules/convert.rules", line: 146, root: planish_ops::Op::Ult, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_sext_sext", file: "rules/convert.rules", line: 150, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_zext_zext", file: "rules/convert.rules", line: 154, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ule_zext_zext", file: "rules/convert.rules", line: 158, root: planish_ops::Op::Ule, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_sext_sext", file: "rules/convert.rules", line: 162, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_zext_zext", file: "rules/convert.rules", line: 166, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ugt_zext_zext", file: "rules/convert.rules", line: 170, root: planish_ops::Op::Ugt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_sext_sext", file: "rules/convert.rules", line: 174, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_zext_zext", file: "rules/convert.rules", line: 178, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "uge_zext_zext", file: "rules/convert.rules", line: 182, root: planish_ops::Op::Uge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_sext_const", file: "rules/convert.rules", line: 186, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_sext_const", file: "rules/convert.rules", line: 192, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_sext_const", file: "rules/convert.rules", line: 198, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_sext_const", file: "rules/convert.rules", line: 204, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_zext_const", file: "rules/convert.rules", line: 210, root: planish_ops::Op::Lt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "le_zext_const", file: "rules/convert.rules", line: 216, root: planish_ops::Op::Le, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "gt_zext_const", file: "rules/convert.rules", line: 222, root: planish_ops::Op::Gt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ge_zext_const", file: "rules/convert.rules", line: 228, root: planish_ops::Op::Ge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ult_zext_const", file: "rules/convert.rules", line: 234, root: planish_ops::Op::Ult, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ule_zext_const", file: "rules/convert.rules", line: 240, root: planish_ops::Op::Ule, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "ugt_zext_const", file: "rules/convert.rules", line: 246, root: planish_ops::Op::Ugt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "uge_zext_const", file: "rules/convert.rules", line: 252, root: planish_ops::Op::Uge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lt_masked_zext", file: "rules/convert.rules", line: 258, root: planish_ops::Op::Lt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "lt_zext_masked", file: "rules/convert.rules", line: 263, root: planish_ops::Op::Lt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "le_masked_zext", file: "rules/convert.rules", line: 268, root: planish_ops::Op::Le, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "le_zext_masked", file: "rules/convert.rules", line: 273, root: planish_ops::Op::Le, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "gt_masked_zext", file: "rules/convert.rules", line: 278, root: planish_ops::Op::Gt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "gt_zext_masked", file: "rules/convert.rules", line: 283, root: planish_ops::Op::Gt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ge_masked_zext", file: "rules/convert.rules", line: 288, root: planish_ops::Op::Ge, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ge_zext_masked", file: "rules/convert.rules", line: 293, root: planish_ops::Op::Ge, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "zext_eq", file: "rules/convert.rules", line: 298, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_ne", file: "rules/convert.rules", line: 302, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_lt", file: "rules/convert.rules", line: 306, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_le", file: "rules/convert.rules", line: 310, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_gt", file: "rules/convert.rules", line: 314, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_ge", file: "rules/convert.rules", line: 318, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_ult", file: "rules/convert.rules", line: 322, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_ule", file: "rules/convert.rules", line: 326, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_ugt", file: "rules/convert.rules", line: 330, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_uge", file: "rules/convert.rules", line: 334, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_is_zero", file: "rules/convert.rules", line: 338, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "zext_is_true", file: "rules/convert.rules", line: 342, root: planish_ops::Op::Zext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_eq", file: "rules/convert.rules", line: 346, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_ne", file: "rules/convert.rules", line: 350, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_lt", file: "rules/convert.rules", line: 354, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_le", file: "rules/convert.rules", line: 358, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_gt", file: "rules/convert.rules", line: 362, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_ge", file: "rules/convert.rules", line: 366, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_ult", file: "rules/convert.rules", line: 370, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_ule", file: "rules/convert.rules", line: 374, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_ugt", file: "rules/convert.rules", line: 378, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_uge", file: "rules/convert.rules", line: 382, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_is_zero", file: "rules/convert.rules", line: 386, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "trunc_is_true", file: "rules/convert.rules", line: 390, root: planish_ops::Op::Trunc, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "signext_fits", file: "rules/convert.rules", line: 394, root: planish_ops::Op::Signext, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "signext_and", file: "rules/convert.rules", line: 399, root: planish_ops::Op::Signext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_signext", file: "rules/convert.rules", line: 404, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "bits_of_float", file: "rules/convert.rules", line: 409, root: planish_ops::Op::FloatToRawBits, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "float_of_bits", file: "rules/convert.rules", line: 413, root: planish_ops::Op::BitsToFloat, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "float_of_raw_bits", file: "rules/convert.rules", line: 417, root: planish_ops::Op::BitsToFloat, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "float_convert_back", file: "rules/convert.rules", line: 421, root: planish_ops::Op::FloatConvert, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "signed_of_float", file: "rules/convert.rules", line: 425, root: planish_ops::Op::FloatToSigned, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "signed_of_float_sat", file: "rules/convert.rules", line: 429, root: planish_ops::Op::FloatToSignedSat, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sext_trunc_fits", file: "rules/convert.rules", line: 433, root: planish_ops::Op::Sext, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sext_trunc", file: "rules/convert.rules", line: 439, root: planish_ops::Op::Sext, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "sext_add_const", file: "rules/convert.rules", line: 444, root: planish_ops::Op::Sext, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "udiv_self", file: "rules/division.rules", line: 8, root: planish_ops::Op::Udiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "udiv_zero", file: "rules/division.rules", line: 13, root: planish_ops::Op::Udiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urem_zero", file: "rules/division.rules", line: 18, root: planish_ops::Op::Urem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urem_one", file: "rules/division.rules", line: 23, root: planish_ops::Op::Urem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urem_urem", file: "rules/division.rules", line: 27, root: planish_ops::Op::Urem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sdiv_self", file: "rules/division.rules", line: 31, root: planish_ops::Op::Sdiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sdiv_zero", file: "rules/division.rules", line: 36, root: planish_ops::Op::Sdiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "srem_zero", file: "rules/division.rules", line: 41, root: planish_ops::Op::Srem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "srem_one", file: "rules/division.rules", line: 46, root: planish_ops::Op::Srem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "srem_srem", file: "rules/division.rules", line: 50, root: planish_ops::Op::Srem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floordiv_self", file: "rules/division.rules", line: 54, root: planish_ops::Op::FloorDiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floordiv_zero", file: "rules/division.rules", line: 59, root: planish_ops::Op::FloorDiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floormod_zero", file: "rules/division.rules", line: 64, root: planish_ops::Op::FloorMod, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floormod_one", file: "rules/division.rules", line: 69, root: planish_ops::Op::FloorMod, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sdiv_minus_one", file: "rules/division.rules", line: 73, root: planish_ops::Op::Sdiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "srem_minus_one", file: "rules/division.rules", line: 77, root: planish_ops::Op::Srem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sdiv_nonnegative", file: "rules/division.rules", line: 81, root: planish_ops::Op::Sdiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "srem_nonnegative", file: "rules/division.rules", line: 86, root: planish_ops::Op::Srem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floordiv_minus_one", file: "rules/division.rules", line: 91, root: planish_ops::Op::FloorDiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floormod_minus_one", file: "rules/division.rules", line: 95, root: planish_ops::Op::FloorMod, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floordiv_nonnegative", file: "rules/division.rules", line: 99, root: planish_ops::Op::FloorDiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floormod_nonnegative", file: "rules/division.rules", line: 104, root: planish_ops::Op::FloorMod, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urem_small", file: "rules/division.rules", line: 109, root: planish_ops::Op::Urem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "udiv_small", file: "rules/division.rules", line: 114, root: planish_ops::Op::Udiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "udiv_pow2", file: "rules/division.rules", line: 119, root: planish_ops::Op::Udiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urem_pow2", file: "rules/division.rules", line: 125, root: planish_ops::Op::Urem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sdiv_pow2_nonnegative", file: "rules/division.rules", line: 131, root: planish_ops::Op::Sdiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "srem_pow2_nonnegative", file: "rules/division.rules", line: 137, root: planish_ops::Op::Srem, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floordiv_pow2", file: "rules/division.rules", line: 143, root: planish_ops::Op::FloorDiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "floormod_pow2", file: "rules/division.rules", line: 149, root: planish_ops::Op::FloorMod, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sdiv_pow2", file: "rules/division.rules", line: 155, root: planish_ops::Op::Sdiv, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "srem_pow2", file: "rules/division.rules", line: 163, root: planish_ops::Op::Srem, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "udiv_large", file: "rules/division.rules", line: 172, root: planish_ops::Op::Udiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "udiv_magic", file: "rules/division.rules", line: 177, root: planish_ops::Op::Udiv, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "urem_magic", file: "rules/division.rules", line: 184, root: planish_ops::Op::Urem, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "udiv_magic_long", file: "rules/division.rules", line: 191, root: planish_ops::Op::Udiv, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "urem_magic_long", file: "rules/division.rules", line: 199, root: planish_ops::Op::Urem, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "sdiv_magic", file: "rules/division.rules", line: 207, root: planish_ops::Op::Sdiv, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "sdiv_magic_add", file: "rules/division.rules", line: 216, root: planish_ops::Op::Sdiv, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "srem_magic", file: "rules/division.rules", line: 225, root: planish_ops::Op::Srem, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "srem_magic_add", file: "rules/division.rules", line: 234, root: planish_ops::Op::Srem, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "floordiv_magic", file: "rules/division.rules", line: 243, root: planish_ops::Op::FloorDiv, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "floormod_magic", file: "rules/division.rules", line: 251, root: planish_ops::Op::FloorMod, explore: false, pays: false, tags: &["expand"] },
    RuleInfo { name: "add_assoc", file: "rules/explore.rules", line: 3, root: planish_ops::Op::Add, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "mul_assoc", file: "rules/explore.rules", line: 7, root: planish_ops::Op::Mul, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "and_assoc", file: "rules/explore.rules", line: 11, root: planish_ops::Op::And, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "or_assoc", file: "rules/explore.rules", line: 15, root: planish_ops::Op::Or, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "xor_assoc", file: "rules/explore.rules", line: 19, root: planish_ops::Op::Xor, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "mul_distribute", file: "rules/explore.rules", line: 23, root: planish_ops::Op::Mul, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "mul_factor", file: "rules/explore.rules", line: 27, root: planish_ops::Op::Add, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "mul_factor_one", file: "rules/explore.rules", line: 31, root: planish_ops::Op::Add, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "sub_as_add", file: "rules/explore.rules", line: 36, root: planish_ops::Op::Sub, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "add_sub_assoc", file: "rules/explore.rules", line: 40, root: planish_ops::Op::Add, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "sub_add_assoc", file: "rules/explore.rules", line: 44, root: planish_ops::Op::Sub, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "sub_sub_assoc", file: "rules/explore.rules", line: 48, root: planish_ops::Op::Sub, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "neg_mul", file: "rules/explore.rules", line: 52, root: planish_ops::Op::Neg, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "and_distribute", file: "rules/explore.rules", line: 56, root: planish_ops::Op::And, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "or_distribute", file: "rules/explore.rules", line: 60, root: planish_ops::Op::Or, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "not_and", file: "rules/explore.rules", line: 64, root: planish_ops::Op::Not, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "not_or", file: "rules/explore.rules", line: 68, root: planish_ops::Op::Not, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "lshift_as_mul", file: "rules/explore.rules", line: 72, root: planish_ops::Op::Lshift, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "lshift_distribute", file: "rules/explore.rules", line: 77, root: planish_ops::Op::Lshift, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "lshift_and", file: "rules/explore.rules", line: 81, root: planish_ops::Op::Lshift, explore: true, pays: false, tags: &[] },
    RuleInfo { name: "fadd_minus_zero", file: "rules/float.rules", line: 6, root: planish_ops::Op::Fadd, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fsub_zero", file: "rules/float.rules", line: 10, root: planish_ops::Op::Fsub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fmul_one", file: "rules/float.rules", line: 14, root: planish_ops::Op::Fmul, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "fmul_minus_one", file: "rules/float.rules", line: 18, root: planish_ops::Op::Fmul, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "fdiv_one", file: "rules/float.rules", line: 22, root: planish_ops::Op::Fdiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fdiv_minus_one", file: "rules/float.rules", line: 26, root: planish_ops::Op::Fdiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fadd_fneg", file: "rules/float.rules", line: 30, root: planish_ops::Op::Fadd, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fsub_fneg", file: "rules/float.rules", line: 34, root: planish_ops::Op::Fsub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fsub_minus_zero_left", file: "rules/float.rules", line: 38, root: planish_ops::Op::Fsub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fmul_fneg_fneg", file: "rules/float.rules", line: 42, root: planish_ops::Op::Fmul, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fmul_fneg_const", file: "rules/float.rules", line: 46, root: planish_ops::Op::Fmul, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fdiv_fneg_fneg", file: "rules/float.rules", line: 51, root: planish_ops::Op::Fdiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fdiv_fneg_const", file: "rules/float.rules", line: 55, root: planish_ops::Op::Fdiv, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fabs_fneg", file: "rules/float.rules", line: 60, root: planish_ops::Op::Fabs, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fabs_fabs", file: "rules/float.rules", line: 64, root: planish_ops::Op::Fabs, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "fmul_fabs_same", file: "rules/float.rules", line: 68, root: planish_ops::Op::Fmul, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "feq_fneg_fneg", file: "rules/float.rules", line: 72, root: planish_ops::Op::Feq, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fne_fneg_fneg", file: "rules/float.rules", line: 76, root: planish_ops::Op::Fne, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "flt_fneg_fneg", file: "rules/float.rules", line: 80, root: planish_ops::Op::Flt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "flt_fneg_const", file: "rules/float.rules", line: 84, root: planish_ops::Op::Flt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "flt_const_left", file: "rules/float.rules", line: 89, root: planish_ops::Op::Flt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fle_fneg_fneg", file: "rules/float.rules", line: 93, root: planish_ops::Op::Fle, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fle_fneg_const", file: "rules/float.rules", line: 97, root: planish_ops::Op::Fle, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fle_const_left", file: "rules/float.rules", line: 102, root: planish_ops::Op::Fle, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fgt_fneg_fneg", file: "rules/float.rules", line: 106, root: planish_ops::Op::Fgt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fgt_fneg_const", file: "rules/float.rules", line: 110, root: planish_ops::Op::Fgt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fgt_const_left", file: "rules/float.rules", line: 115, root: planish_ops::Op::Fgt, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fge_fneg_fneg", file: "rules/float.rules", line: 119, root: planish_ops::Op::Fge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fge_fneg_const", file: "rules/float.rules", line: 123, root: planish_ops::Op::Fge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "fge_const_left", file: "rules/float.rules", line: 128, root: planish_ops::Op::Fge, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_feq", file: "rules/float.rules", line: 132, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_zero_fne", file: "rules/float.rules", line: 136, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_feq", file: "rules/float.rules", line: 140, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_fne", file: "rules/float.rules", line: 144, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_flt", file: "rules/float.rules", line: 148, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_fle", file: "rules/float.rules", line: 152, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_fgt", file: "rules/float.rules", line: 156, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_fge", file: "rules/float.rules", line: 160, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "fcmpl_eq", file: "rules/float.rules", line: 164, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "fcmpl_ne", file: "rules/float.rules", line: 168, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "fcmpg_eq", file: "rules/float.rules", line: 172, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "fcmpg_ne", file: "rules/float.rules", line: 176, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "fcmpl_gt", file: "rules/float.rules", line: 180, root: planish_ops::Op::Gt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "fcmpl_ge", file: "rules/float.rules", line: 185, root: planish_ops::Op::Ge, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "fcmpg_lt", file: "rules/float.rules", line: 190, root: planish_ops::Op::Lt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "fcmpg_le", file: "rules/float.rules", line: 195, root: planish_ops::Op::Le, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "mul_minus_one", file: "rules/mul.rules", line: 5, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "mul_pow2", file: "rules/mul.rules", line: 9, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "mul_min", file: "rules/mul.rules", line: 15, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "mul_shift_of_one", file: "rules/mul.rules", line: 20, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "mul_shifted_one", file: "rules/mul.rules", line: 25, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "mul_consts", file: "rules/mul.rules", line: 29, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "mul_neg_neg", file: "rules/mul.rules", line: 34, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "mul_neg_const", file: "rules/mul.rules", line: 38, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "mul_shift_const", file: "rules/mul.rules", line: 43, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "mul_bools", file: "rules/mul.rules", line: 48, root: planish_ops::Op::Mul, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umulh_pow2", file: "rules/mul.rules", line: 53, root: planish_ops::Op::Umulh, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umulh_one", file: "rules/mul.rules", line: 59, root: planish_ops::Op::Umulh, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "smulh_one", file: "rules/mul.rules", line: 63, root: planish_ops::Op::Smulh, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_ovf_zero", file: "rules/overflow.rules", line: 6, root: planish_ops::Op::AddOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_ovf_zero", file: "rules/overflow.rules", line: 10, root: planish_ops::Op::SubOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_ovf_self", file: "rules/overflow.rules", line: 14, root: planish_ops::Op::SubOvf, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "mul_ovf_zero", file: "rules/overflow.rules", line: 18, root: planish_ops::Op::MulOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "mul_ovf_one", file: "rules/overflow.rules", line: 22, root: planish_ops::Op::MulOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "uadd_ovf_zero", file: "rules/overflow.rules", line: 26, root: planish_ops::Op::UaddOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "usub_ovf_zero", file: "rules/overflow.rules", line: 30, root: planish_ops::Op::UsubOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "usub_ovf_self", file: "rules/overflow.rules", line: 34, root: planish_ops::Op::UsubOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umul_ovf_zero", file: "rules/overflow.rules", line: 38, root: planish_ops::Op::UmulOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umul_ovf_one", file: "rules/overflow.rules", line: 42, root: planish_ops::Op::UmulOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "add_ovf_fits", file: "rules/overflow.rules", line: 46, root: planish_ops::Op::AddOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_ovf_fits", file: "rules/overflow.rules", line: 51, root: planish_ops::Op::SubOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "uadd_ovf_fits", file: "rules/overflow.rules", line: 56, root: planish_ops::Op::UaddOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "usub_ovf_fits", file: "rules/overflow.rules", line: 61, root: planish_ops::Op::UsubOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "mul_ovf_minus_one", file: "rules/overflow.rules", line: 66, root: planish_ops::Op::MulOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "mul_ovf_two", file: "rules/overflow.rules", line: 71, root: planish_ops::Op::MulOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umul_ovf_two", file: "rules/overflow.rules", line: 75, root: planish_ops::Op::UmulOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_ovf_const", file: "rules/overflow.rules", line: 79, root: planish_ops::Op::SubOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "usub_ovf_from_all_ones", file: "rules/overflow.rules", line: 85, root: planish_ops::Op::UsubOvf, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_true_is_true", file: "rules/overflow.rules", line: 89, root: planish_ops::Op::GuardTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_true_is_zero", file: "rules/overflow.rules", line: 93, root: planish_ops::Op::GuardTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_false_is_true", file: "rules/overflow.rules", line: 97, root: planish_ops::Op::GuardFalse, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_false_is_zero", file: "rules/overflow.rules", line: 101, root: planish_ops::Op::GuardFalse, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_true_nonzero", file: "rules/overflow.rules", line: 105, root: planish_ops::Op::GuardTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_true_zero", file: "rules/overflow.rules", line: 110, root: planish_ops::Op::GuardTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_false_zero", file: "rules/overflow.rules", line: 115, root: planish_ops::Op::GuardFalse, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_false_nonzero", file: "rules/overflow.rules", line: 120, root: planish_ops::Op::GuardFalse, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_value_same", file: "rules/overflow.rules", line: 125, root: planish_ops::Op::GuardValue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_value_unequal", file: "rules/overflow.rules", line: 129, root: planish_ops::Op::GuardValue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "guard_value_bool_one", file: "rules/overflow.rules", line: 134, root: planish_ops::Op::GuardValue, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "guard_value_bool_zero", file: "rules/overflow.rules", line: 139, root: planish_ops::Op::GuardValue, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "bounds_check_inside", file: "rules/overflow.rules", line: 144, root: planish_ops::Op::BoundsCheck, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "bounds_check_below", file: "rules/overflow.rules", line: 149, root: planish_ops::Op::BoundsCheck, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "bounds_check_above", file: "rules/overflow.rules", line: 154, root: planish_ops::Op::BoundsCheck, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_eq", file: "rules/question.rules", line: 3, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_ne", file: "rules/question.rules", line: 7, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_lt", file: "rules/question.rules", line: 11, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_ge", file: "rules/question.rules", line: 15, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_le", file: "rules/question.rules", line: 19, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_gt", file: "rules/question.rules", line: 23, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_ult", file: "rules/question.rules", line: 27, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_uge", file: "rules/question.rules", line: 31, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_ule", file: "rules/question.rules", line: 35, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_ugt", file: "rules/question.rules", line: 39, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_eq", file: "rules/question.rules", line: 43, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_ne", file: "rules/question.rules", line: 47, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_lt", file: "rules/question.rules", line: 51, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_ge", file: "rules/question.rules", line: 55, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_le", file: "rules/question.rules", line: 59, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_gt", file: "rules/question.rules", line: 63, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_ult", file: "rules/question.rules", line: 67, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_uge", file: "rules/question.rules", line: 71, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_ule", file: "rules/question.rules", line: 75, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_ugt", file: "rules/question.rules", line: 79, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_is_zero", file: "rules/question.rules", line: 83, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_is_true", file: "rules/question.rules", line: 87, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_is_zero", file: "rules/question.rules", line: 91, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_is_true", file: "rules/question.rules", line: 95, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_bool", file: "rules/question.rules", line: 99, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "is_true_nonzero", file: "rules/question.rules", line: 104, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "is_zero_nonzero", file: "rules/question.rules", line: 109, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "is_true_sign", file: "rules/question.rules", line: 114, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "is_zero_sign", file: "rules/question.rules", line: 118, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_sub", file: "rules/question.rules", line: 122, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_xor", file: "rules/question.rules", line: 126, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_add_apart", file: "rules/question.rules", line: 130, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "is_zero_add_const", file: "rules/question.rules", line: 136, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_neg", file: "rules/question.rules", line: 141, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_not", file: "rules/question.rules", line: 145, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_abs", file: "rules/question.rules", line: 149, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_popcount", file: "rules/question.rules", line: 153, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_bswap", file: "rules/question.rules", line: 157, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_rotl", file: "rules/question.rules", line: 161, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_rotr", file: "rules/question.rules", line: 165, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_zext", file: "rules/question.rules", line: 169, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_sext", file: "rules/question.rules", line: 173, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_mul_odd", file: "rules/question.rules", line: 177, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_urshift", file: "rules/question.rules", line: 182, root: planish_ops::Op::IsZero, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_sub", file: "rules/question.rules", line: 187, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_xor", file: "rules/question.rules", line: 191, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_add_const", file: "rules/question.rules", line: 195, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_neg", file: "rules/question.rules", line: 200, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_not", file: "rules/question.rules", line: 204, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_abs", file: "rules/question.rules", line: 208, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_popcount", file: "rules/question.rules", line: 212, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_zext", file: "rules/question.rules", line: 216, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_sext", file: "rules/question.rules", line: 220, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_mul_odd", file: "rules/question.rules", line: 224, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_true_urshift", file: "rules/question.rules", line: 229, root: planish_ops::Op::IsTrue, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_is_zero", file: "rules/question.rules", line: 234, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_is_true", file: "rules/question.rules", line: 238, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_lt_eq", file: "rules/question.rules", line: 242, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_gt_eq", file: "rules/question.rules", line: 246, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_le_ne", file: "rules/question.rules", line: 250, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_ge_ne", file: "rules/question.rules", line: 254, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_is_true_no_more", file: "rules/question.rules", line: 258, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_is_zero_more", file: "rules/question.rules", line: 262, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_zero_no_more", file: "rules/question.rules", line: 266, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_more", file: "rules/question.rules", line: 271, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_is_true_eq_popcount", file: "rules/question.rules", line: 276, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_is_zero_ne_popcount", file: "rules/question.rules", line: 281, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_lt_gt", file: "rules/question.rules", line: 286, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_le_ge", file: "rules/question.rules", line: 290, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_ult_eq", file: "rules/question.rules", line: 294, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_ugt_eq", file: "rules/question.rules", line: 298, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_ule_ne", file: "rules/question.rules", line: 302, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_uge_ne", file: "rules/question.rules", line: 306, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_ult_ugt", file: "rules/question.rules", line: 310, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_ule_uge", file: "rules/question.rules", line: 314, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "and_range", file: "rules/question.rules", line: 318, root: planish_ops::Op::And, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_range", file: "rules/question.rules", line: 323, root: planish_ops::Op::Or, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "is_zero_srem_pow2", file: "rules/question.rules", line: 328, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_srem_pow2", file: "rules/question.rules", line: 334, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_lt_bounds", file: "rules/question.rules", line: 340, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_lt_bounds", file: "rules/question.rules", line: 344, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_le_bounds", file: "rules/question.rules", line: 348, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_le_bounds", file: "rules/question.rules", line: 352, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_gt_bounds", file: "rules/question.rules", line: 356, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_gt_bounds", file: "rules/question.rules", line: 360, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_ge_bounds", file: "rules/question.rules", line: 364, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_ge_bounds", file: "rules/question.rules", line: 368, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_ult_bounds", file: "rules/question.rules", line: 372, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_ult_bounds", file: "rules/question.rules", line: 376, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_ule_bounds", file: "rules/question.rules", line: 380, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_ule_bounds", file: "rules/question.rules", line: 384, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_ugt_bounds", file: "rules/question.rules", line: 388, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_ugt_bounds", file: "rules/question.rules", line: 392, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_uge_bounds", file: "rules/question.rules", line: 396, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_uge_bounds", file: "rules/question.rules", line: 400, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_zero_high_mask", file: "rules/range.rules", line: 3, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_high_mask", file: "rules/range.rules", line: 9, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_high_mask_all", file: "rules/range.rules", line: 15, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_high_mask_least", file: "rules/range.rules", line: 20, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_high_mask_most", file: "rules/range.rules", line: 26, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_high_mask_all", file: "rules/range.rules", line: 31, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_high_mask_least", file: "rules/range.rules", line: 36, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_high_mask_most", file: "rules/range.rules", line: 42, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_zero_rshift", file: "rules/range.rules", line: 47, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_rshift", file: "rules/range.rules", line: 53, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_rshift_ones", file: "rules/range.rules", line: 59, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_rshift_least", file: "rules/range.rules", line: 64, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_rshift_most", file: "rules/range.rules", line: 71, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_urshift_most", file: "rules/range.rules", line: 78, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_rshift_ones", file: "rules/range.rules", line: 84, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_rshift_least", file: "rules/range.rules", line: 89, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_rshift_most", file: "rules/range.rules", line: 96, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_urshift_most", file: "rules/range.rules", line: 103, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_ge_lt_const", file: "rules/range.rules", line: 109, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_ge_le_const", file: "rules/range.rules", line: 117, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_gt_lt_const", file: "rules/range.rules", line: 125, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_gt_le_const", file: "rules/range.rules", line: 133, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_lt_ge_const", file: "rules/range.rules", line: 141, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_lt_gt_const", file: "rules/range.rules", line: 149, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_le_ge_const", file: "rules/range.rules", line: 157, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_le_gt_const", file: "rules/range.rules", line: 165, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_uge_ult_const", file: "rules/range.rules", line: 173, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_uge_ule_const", file: "rules/range.rules", line: 181, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_ugt_ult_const", file: "rules/range.rules", line: 189, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "and_ugt_ule_const", file: "rules/range.rules", line: 197, root: planish_ops::Op::And, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_ult_uge_const", file: "rules/range.rules", line: 205, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_ult_ugt_const", file: "rules/range.rules", line: 213, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_ule_uge_const", file: "rules/range.rules", line: 221, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "or_ule_ugt_const", file: "rules/range.rules", line: 229, root: planish_ops::Op::Or, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ult_flipped_sign", file: "rules/range.rules", line: 237, root: planish_ops::Op::Ult, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "lt_flipped_sign", file: "rules/range.rules", line: 242, root: planish_ops::Op::Lt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ult_flipped_signs", file: "rules/range.rules", line: 247, root: planish_ops::Op::Ult, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "lt_flipped_signs", file: "rules/range.rules", line: 251, root: planish_ops::Op::Lt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ule_flipped_sign", file: "rules/range.rules", line: 255, root: planish_ops::Op::Ule, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "le_flipped_sign", file: "rules/range.rules", line: 260, root: planish_ops::Op::Le, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ule_flipped_signs", file: "rules/range.rules", line: 265, root: planish_ops::Op::Ule, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "le_flipped_signs", file: "rules/range.rules", line: 269, root: planish_ops::Op::Le, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ugt_flipped_sign", file: "rules/range.rules", line: 273, root: planish_ops::Op::Ugt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "gt_flipped_sign", file: "rules/range.rules", line: 278, root: planish_ops::Op::Gt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ugt_flipped_signs", file: "rules/range.rules", line: 283, root: planish_ops::Op::Ugt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "gt_flipped_signs", file: "rules/range.rules", line: 287, root: planish_ops::Op::Gt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "uge_flipped_sign", file: "rules/range.rules", line: 291, root: planish_ops::Op::Uge, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ge_flipped_sign", file: "rules/range.rules", line: 296, root: planish_ops::Op::Ge, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "uge_flipped_signs", file: "rules/range.rules", line: 301, root: planish_ops::Op::Uge, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ge_flipped_signs", file: "rules/range.rules", line: 305, root: planish_ops::Op::Ge, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_ctz_width", file: "rules/range.rules", line: 309, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_ctz_width", file: "rules/range.rules", line: 313, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_clz_width", file: "rules/range.rules", line: 317, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_clz_width", file: "rules/range.rules", line: 321, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ult_clz_const", file: "rules/range.rules", line: 325, root: planish_ops::Op::Ult, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ugt_clz_const", file: "rules/range.rules", line: 331, root: planish_ops::Op::Ugt, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_zero_udiv", file: "rules/range.rules", line: 337, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_udiv", file: "rules/range.rules", line: 342, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_srem_pow2", file: "rules/range.rules", line: 347, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_srem_pow2_below", file: "rules/range.rules", line: 353, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_srem_pow2", file: "rules/range.rules", line: 360, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_srem_pow2_below", file: "rules/range.rules", line: 366, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "eq_and_zext", file: "rules/range.rules", line: 373, root: planish_ops::Op::Eq, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ne_and_zext", file: "rules/range.rules", line: 380, root: planish_ops::Op::Ne, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_zero_and_zext", file: "rules/range.rules", line: 387, root: planish_ops::Op::IsZero, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "is_true_and_zext", file: "rules/range.rules", line: 392, root: planish_ops::Op::IsTrue, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ult_add_zext", file: "rules/range.rules", line: 397, root: planish_ops::Op::Ult, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "ult_add_sext", file: "rules/range.rules", line: 404, root: planish_ops::Op::Ult, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "uge_add_zext", file: "rules/range.rules", line: 412, root: planish_ops::Op::Uge, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "uge_add_sext", file: "rules/range.rules", line: 419, root: planish_ops::Op::Uge, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_nonzero", file: "rules/select.rules", line: 3, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_zero", file: "rules/select.rules", line: 8, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_eq_popcount", file: "rules/select.rules", line: 13, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ne_popcount", file: "rules/select.rules", line: 18, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_same", file: "rules/select.rules", line: 23, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_is_true", file: "rules/select.rules", line: 27, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_is_zero", file: "rules/select.rules", line: 31, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_eq", file: "rules/select.rules", line: 35, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ne", file: "rules/select.rules", line: 39, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_self_zero", file: "rules/select.rules", line: 43, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_one_zero", file: "rules/select.rules", line: 47, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_zero_one", file: "rules/select.rules", line: 51, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_bits", file: "rules/select.rules", line: 55, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_bits_negated", file: "rules/select.rules", line: 59, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_nested_then", file: "rules/select.rules", line: 63, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_nested_else", file: "rules/select.rules", line: 67, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_lt", file: "rules/select.rules", line: 71, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_lt_swapped", file: "rules/select.rules", line: 75, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_le", file: "rules/select.rules", line: 79, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_le_swapped", file: "rules/select.rules", line: 83, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_gt", file: "rules/select.rules", line: 87, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_gt_swapped", file: "rules/select.rules", line: 91, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ge", file: "rules/select.rules", line: 95, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ge_swapped", file: "rules/select.rules", line: 99, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ult", file: "rules/select.rules", line: 103, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ult_swapped", file: "rules/select.rules", line: 107, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ule", file: "rules/select.rules", line: 111, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ule_swapped", file: "rules/select.rules", line: 115, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ugt", file: "rules/select.rules", line: 119, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_ugt_swapped", file: "rules/select.rules", line: 123, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_uge", file: "rules/select.rules", line: 127, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_uge_swapped", file: "rules/select.rules", line: 131, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_abs_lt", file: "rules/select.rules", line: 135, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_abs_le", file: "rules/select.rules", line: 139, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_abs_ge", file: "rules/select.rules", line: 143, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_abs_gt", file: "rules/select.rules", line: 147, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "min_known", file: "rules/select.rules", line: 151, root: planish_ops::Op::Min, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "max_known", file: "rules/select.rules", line: 156, root: planish_ops::Op::Max, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "min_min_self", file: "rules/select.rules", line: 161, root: planish_ops::Op::Min, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "min_max_self", file: "rules/select.rules", line: 165, root: planish_ops::Op::Min, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "min_consts", file: "rules/select.rules", line: 169, root: planish_ops::Op::Min, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "max_max_self", file: "rules/select.rules", line: 174, root: planish_ops::Op::Max, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "max_min_self", file: "rules/select.rules", line: 178, root: planish_ops::Op::Max, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "max_consts", file: "rules/select.rules", line: 182, root: planish_ops::Op::Max, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umin_known", file: "rules/select.rules", line: 187, root: planish_ops::Op::Umin, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umax_known", file: "rules/select.rules", line: 192, root: planish_ops::Op::Umax, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umin_umin_self", file: "rules/select.rules", line: 197, root: planish_ops::Op::Umin, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umin_umax_self", file: "rules/select.rules", line: 201, root: planish_ops::Op::Umin, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umin_consts", file: "rules/select.rules", line: 205, root: planish_ops::Op::Umin, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umax_umax_self", file: "rules/select.rules", line: 210, root: planish_ops::Op::Umax, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umax_umin_self", file: "rules/select.rules", line: 214, root: planish_ops::Op::Umax, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "umax_consts", file: "rules/select.rules", line: 218, root: planish_ops::Op::Umax, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "abs_nonnegative", file: "rules/select.rules", line: 223, root: planish_ops::Op::Abs, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "abs_negative", file: "rules/select.rules", line: 228, root: planish_ops::Op::Abs, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "abs_neg", file: "rules/select.rules", line: 233, root: planish_ops::Op::Abs, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "abs_abs", file: "rules/select.rules", line: 237, root: planish_ops::Op::Abs, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "force_ge_zero_nonnegative", file: "rules/select.rules", line: 241, root: planish_ops::Op::ForceGeZero, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "force_ge_zero_negative", file: "rules/select.rules", line: 246, root: planish_ops::Op::ForceGeZero, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "select_add_one", file: "rules/select.rules", line: 251, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_add_one_else", file: "rules/select.rules", line: 255, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_minus_one", file: "rules/select.rules", line: 259, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_minus_one_else", file: "rules/select.rules", line: 263, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_clamp_lt", file: "rules/select.rules", line: 267, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_clamp_le", file: "rules/select.rules", line: 272, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_clamp_gt", file: "rules/select.rules", line: 277, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_clamp_ge", file: "rules/select.rules", line: 282, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_sign", file: "rules/select.rules", line: 287, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_abs_sub_lt", file: "rules/select.rules", line: 291, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_abs_sub_le", file: "rules/select.rules", line: 295, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_abs_sub_ge", file: "rules/select.rules", line: 299, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_abs_sub_gt", file: "rules/select.rules", line: 303, root: planish_ops::Op::Select, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "select_bits_zero", file: "rules/select.rules", line: 307, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_lt_zero_sub", file: "rules/select.rules", line: 311, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_le_zero_sub", file: "rules/select.rules", line: 315, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_gt_sub_zero", file: "rules/select.rules", line: 319, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ge_sub_zero", file: "rules/select.rules", line: 323, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ult_zero_sub", file: "rules/select.rules", line: 327, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ule_zero_sub", file: "rules/select.rules", line: 331, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ugt_sub_zero", file: "rules/select.rules", line: 335, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_uge_sub_zero", file: "rules/select.rules", line: 339, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ult_zero_sub_zext", file: "rules/select.rules", line: 343, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ule_zero_sub_zext", file: "rules/select.rules", line: 347, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ugt_sub_zext_zero", file: "rules/select.rules", line: 351, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_uge_sub_zext_zero", file: "rules/select.rules", line: 355, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_abs_sext_lt", file: "rules/select.rules", line: 359, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_abs_sext_le", file: "rules/select.rules", line: 363, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_abs_sext_gt", file: "rules/select.rules", line: 367, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_abs_sext_ge", file: "rules/select.rules", line: 371, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_lt_sext_const", file: "rules/select.rules", line: 375, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_lt_const_sext", file: "rules/select.rules", line: 380, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_lt_sext", file: "rules/select.rules", line: 385, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_lt_sext_swapped", file: "rules/select.rules", line: 389, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_le_sext_const", file: "rules/select.rules", line: 393, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_le_const_sext", file: "rules/select.rules", line: 398, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_le_sext", file: "rules/select.rules", line: 403, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_le_sext_swapped", file: "rules/select.rules", line: 407, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_gt_sext_const", file: "rules/select.rules", line: 411, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_gt_const_sext", file: "rules/select.rules", line: 416, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_gt_sext", file: "rules/select.rules", line: 421, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_gt_sext_swapped", file: "rules/select.rules", line: 425, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ge_sext_const", file: "rules/select.rules", line: 429, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ge_const_sext", file: "rules/select.rules", line: 434, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ge_sext", file: "rules/select.rules", line: 439, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ge_sext_swapped", file: "rules/select.rules", line: 443, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ult_zext_const", file: "rules/select.rules", line: 447, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ult_const_zext", file: "rules/select.rules", line: 452, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ult_zext", file: "rules/select.rules", line: 457, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ult_zext_swapped", file: "rules/select.rules", line: 461, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ule_zext_const", file: "rules/select.rules", line: 465, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ule_const_zext", file: "rules/select.rules", line: 470, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ule_zext", file: "rules/select.rules", line: 475, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ule_zext_swapped", file: "rules/select.rules", line: 479, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ugt_zext_const", file: "rules/select.rules", line: 483, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ugt_const_zext", file: "rules/select.rules", line: 488, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ugt_zext", file: "rules/select.rules", line: 493, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_ugt_zext_swapped", file: "rules/select.rules", line: 497, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_uge_zext_const", file: "rules/select.rules", line: 501, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_uge_const_zext", file: "rules/select.rules", line: 506, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_uge_zext", file: "rules/select.rules", line: 511, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "select_uge_zext_swapped", file: "rules/select.rules", line: 515, root: planish_ops::Op::Select, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "lshift_zero", file: "rules/shift.rules", line: 6, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "rshift_zero", file: "rules/shift.rules", line: 10, root: planish_ops::Op::Rshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "urshift_zero", file: "rules/shift.rules", line: 14, root: planish_ops::Op::Urshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "rshift_minus_one", file: "rules/shift.rules", line: 18, root: planish_ops::Op::Rshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lshift_rshift", file: "rules/shift.rules", line: 22, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "lshift_urshift", file: "rules/shift.rules", line: 27, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "lshift_and_rshift", file: "rules/shift.rules", line: 32, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "lshift_and_urshift", file: "rules/shift.rules", line: 37, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "urshift_lshift", file: "rules/shift.rules", line: 42, root: planish_ops::Op::Urshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "rshift_lshift", file: "rules/shift.rules", line: 47, root: planish_ops::Op::Rshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "urshift_lshift_exact", file: "rules/shift.rules", line: 52, root: planish_ops::Op::Urshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lshift_lshift", file: "rules/shift.rules", line: 57, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "lshift_lshift_out", file: "rules/shift.rules", line: 64, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urshift_urshift", file: "rules/shift.rules", line: 69, root: planish_ops::Op::Urshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urshift_urshift_out", file: "rules/shift.rules", line: 76, root: planish_ops::Op::Urshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lshift_urshift_more", file: "rules/shift.rules", line: 81, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lshift_urshift_less", file: "rules/shift.rules", line: 87, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lshift_rshift_more", file: "rules/shift.rules", line: 93, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lshift_rshift_less", file: "rules/shift.rules", line: 99, root: planish_ops::Op::Lshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urshift_lshift_more", file: "rules/shift.rules", line: 105, root: planish_ops::Op::Urshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urshift_lshift_less", file: "rules/shift.rules", line: 111, root: planish_ops::Op::Urshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "rshift_lshift_more", file: "rules/shift.rules", line: 117, root: planish_ops::Op::Rshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "rshift_lshift_less", file: "rules/shift.rules", line: 123, root: planish_ops::Op::Rshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "rshift_rshift", file: "rules/shift.rules", line: 129, root: planish_ops::Op::Rshift, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "rshift_urshift", file: "rules/shift.rules", line: 135, root: planish_ops::Op::Rshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "rshift_urshift_out", file: "rules/shift.rules", line: 142, root: planish_ops::Op::Rshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "urshift_rshift_sign", file: "rules/shift.rules", line: 147, root: planish_ops::Op::Urshift, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "lshift_mul_const", file: "rules/shift.rules", line: 152, root: planish_ops::Op::Lshift, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "lshift_add_urshift", file: "rules/shift.rules", line: 157, root: planish_ops::Op::Lshift, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "lshift_add_rshift", file: "rules/shift.rules", line: 163, root: planish_ops::Op::Lshift, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "rotr_const", file: "rules/shift.rules", line: 169, root: planish_ops::Op::Rotr, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "rotl_rotl", file: "rules/shift.rules", line: 175, root: planish_ops::Op::Rotl, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "rotl_rotr", file: "rules/shift.rules", line: 182, root: planish_ops::Op::Rotl, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "rotr_rotl", file: "rules/shift.rules", line: 186, root: planish_ops::Op::Rotr, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "or_rotate", file: "rules/shift.rules", line: 190, root: planish_ops::Op::Or, explore: false, pays: false, tags: &["rotate"] },
    RuleInfo { name: "sub_const", file: "rules/sub.rules", line: 5, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "sub_zero_left", file: "rules/sub.rules", line: 10, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "sub_minus_one_left", file: "rules/sub.rules", line: 14, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_add_cancel", file: "rules/sub.rules", line: 18, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "sub_from_part", file: "rules/sub.rules", line: 22, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "sub_const_sub", file: "rules/sub.rules", line: 26, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "sub_const_add", file: "rules/sub.rules", line: 31, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_xor_disjoint", file: "rules/sub.rules", line: 36, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "sub_or_disjoint", file: "rules/sub.rules", line: 41, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "sub_neg", file: "rules/sub.rules", line: 46, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "sub_sub_self", file: "rules/sub.rules", line: 50, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_sub_left_self", file: "rules/sub.rules", line: 54, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_or_and", file: "rules/sub.rules", line: 58, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_or_xor", file: "rules/sub.rules", line: 62, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_and_const_self", file: "rules/sub.rules", line: 66, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_add_or", file: "rules/sub.rules", line: 71, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_add_and", file: "rules/sub.rules", line: 75, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_not_not", file: "rules/sub.rules", line: 79, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_common_term", file: "rules/sub.rules", line: 83, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_common_minuend", file: "rules/sub.rules", line: 87, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_common_subtrahend", file: "rules/sub.rules", line: 91, root: planish_ops::Op::Sub, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_multiple_self", file: "rules/sub.rules", line: 95, root: planish_ops::Op::Sub, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "sub_factor", file: "rules/sub.rules", line: 100, root: planish_ops::Op::Sub, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "neg_sub", file: "rules/sub.rules", line: 104, root: planish_ops::Op::Neg, explore: false, pays: false, tags: &["pypy"] },
    RuleInfo { name: "neg_add_const", file: "rules/sub.rules", line: 108, root: planish_ops::Op::Neg, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "neg_not", file: "rules/sub.rules", line: 113, root: planish_ops::Op::Neg, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "neg_mul_const", file: "rules/sub.rules", line: 117, root: planish_ops::Op::Neg, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "neg_sign", file: "rules/sub.rules", line: 122, root: planish_ops::Op::Neg, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "neg_sign_bit", file: "rules/sub.rules", line: 127, root: planish_ops::Op::Neg, explore: false, pays: false, tags: &[] },
    RuleInfo { name: "sub_shifted", file: "rules/sub.rules", line: 132, root: planish_ops::Op::Sub, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "sub_lowest_bit", file: "rules/sub.rules", line: 136, root: planish_ops::Op::Sub, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "sub_xor_sign", file: "rules/sub.rules", line: 140, root: planish_ops::Op::Sub, explore: false, pays: true, tags: &[] },
    RuleInfo { name: "neg_low_sign", file: "rules/sub.rules", line: 145, root: planish_ops::Op::Neg, explore: false, pays: true, tags: &[] },
];
