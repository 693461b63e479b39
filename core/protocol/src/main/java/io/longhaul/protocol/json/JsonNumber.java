// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import java.math.BigDecimal;

/** One spelling for equal numbers: {@code 0.20}, {@code 2e-1} and {@code 0.2} are one value in every JSON library. */
final class JsonNumber {

    /** The most zeros that are written out beside the digits of a number. */
    private static final int ZEROS = 40;

    /** The longest exponent, in characters; a number with a longer one keeps its spelling. */
    private static final int LONGEST_EXPONENT = 9;

    private JsonNumber() {}

    /** The spelling for a number of JSON: without needless zeros, and without an exponent where zeros do. */
    static String canonical(String number) {
        int exponent = Math.max(number.indexOf('e'), number.indexOf('E'));
        if (exponent >= 0 && number.length() - exponent - 1 > LONGEST_EXPONENT) {
            return number;
        }
        var value = new BigDecimal(number).stripTrailingZeros();
        var digits = value.unscaledValue().abs().toString();
        return switch (value.signum()) {
            case 0 -> "0";
            case 1 -> written(digits, digits.length() - value.scale());
            default -> "-" + written(digits, digits.length() - value.scale());
        };
    }

    /** @param point how many digits are before the decimal point; negative for zeros after it */
    private static String written(String digits, int point) {
        int after = point - digits.length();
        if (after >= 0 && after <= ZEROS) {
            return digits + "0".repeat(after);
        }
        if (point <= 0 && point >= -ZEROS) {
            return "0." + "0".repeat(-point) + digits;
        }
        return point > 0 && after < 0
                ? digits.substring(0, point) + "." + digits.substring(point)
                : "0." + digits + "e" + point;
    }
}
