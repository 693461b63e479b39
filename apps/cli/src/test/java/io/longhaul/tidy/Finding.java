// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

/** One breach of a house rule: where it is, and what to do about it. */
record Finding(String path, int line, String problem, String remedy) {
    @Override
    public String toString() {
        return path + ":" + line + ": " + problem + ". " + remedy;
    }
}
