// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

/** One spelling for equal numbers: {@code 0.20}, {@code 2e-1} and {@code 0.2} are one value in every JSON library. */
final class JsonNumber {

    /** The most zeros that are written out beside the digits of a number. */
    private static final int ZEROS = 40;

    /** The longest exponent, in characters; a number with a longer one keeps its spelling. */
    private static final int LONGEST_EXPONENT = 15;

    private JsonNumber() {}

    /** The spelling for a number of JSON: without needless zeros, and without an exponent where zeros do. */
    static String canonical(String number) {
        int end = Math.max(number.indexOf('e'), number.indexOf('E'));
        var exponent = end < 0 ? "0" : number.substring(end + 1);
        if (exponent.length() > LONGEST_EXPONENT) {
            return number;
        }
        int begin = number.charAt(0) == '-' ? 1 : 0;
        var figures = number.substring(begin, end < 0 ? number.length() : end);
        int point = figures.indexOf('.') < 0 ? figures.length() : figures.indexOf('.');
        var digits = figures.replace(".", "");
        var significant = withoutZeros(digits);
        return significant.isEmpty()
                ? "0"
                : number.substring(0, begin) + written(significant, point - leading(digits) + Long.parseLong(exponent));
    }

    private static int leading(String digits) {
        int zeros = 0;
        while (zeros < digits.length() && digits.charAt(zeros) == '0') {
            zeros++;
        }
        return zeros;
    }

    private static String withoutZeros(String digits) {
        int end = digits.length();
        while (end > 0 && digits.charAt(end - 1) == '0') {
            end--;
        }
        return digits.substring(Math.min(leading(digits), end), end);
    }

    /** @param point how many digits are before the decimal point; negative for zeros after it */
    private static String written(String digits, long point) {
        long after = point - digits.length();
        if (after >= 0 && after <= ZEROS) {
            return digits + "0".repeat((int) after);
        }
        if (point <= 0 && point >= -ZEROS) {
            return "0." + "0".repeat((int) -point) + digits;
        }
        return point > 0 && after < 0
                ? digits.substring(0, (int) point) + "." + digits.substring((int) point)
                : "0." + digits + "e" + point;
    }
}
