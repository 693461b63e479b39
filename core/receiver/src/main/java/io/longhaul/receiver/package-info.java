// SPDX-License-Identifier: Apache-2.0
/**
 * What all packages of the receiving side share. Requests of any generation become quick calls and durable tasks, and
 * what happens to these goes back: messages come in at {@code admit}. Each package knows only those before it: node,
 * observe, question, tool, plan, feature, session, request, clienttask, task, stream, subscription, rounds, call,
 * admit, ext.
 */
@NullMarked
package io.longhaul.receiver;

import org.jspecify.annotations.NullMarked;
