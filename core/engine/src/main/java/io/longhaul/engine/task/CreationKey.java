// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

/**
 * Makes a creation safe to repeat: the same key of the same owner with the same digest names the same task.
 *
 * @param value  chosen by the requestor, unique among the tasks of its owner
 * @param digest a digest of all parameters of the creation; a repeated key with another digest is refused
 */
public record CreationKey(String value, String digest) {}
