// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.parcels;

/** A parcel, in grams and centimetres. */
record Parcel(int grams, int length, int width, int height) {

    Parcel {
        if (grams <= 0 || length <= 0 || width <= 0 || height <= 0) {
            throw new IllegalArgumentException("a parcel has a weight and three sides");
        }
    }

    /** The weight that a carrier bills: a light but large parcel counts as a heavier one. */
    int billedGrams() {
        return Math.max(grams, length * width * height / 5);
    }

    /** The length of the longest side, plus the girth around the two shorter sides. */
    int girth() {
        int longest = Math.max(length, Math.max(width, height));
        return longest + 2 * (length + width + height - longest);
    }
}
