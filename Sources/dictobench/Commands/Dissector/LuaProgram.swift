/// The part of the dissector that does not depend on the protocol: it follows the tables.
enum LuaProgram {
  static let text = #"""
    local dictofun = Proto("dictofun", "Dictofun")
    local short = ProtoExpert.new("dictofun.short", "Dictofun: octets are missing", expert.group.MALFORMED,
      expert.severity.WARN)
    local unknown = ProtoExpert.new("dictofun.unknown", "Dictofun: a value that the firmware does not know",
      expert.group.PROTOCOL, expert.severity.NOTE)
    local extra = ProtoExpert.new("dictofun.extra", "Dictofun: octets are left over", expert.group.MALFORMED,
      expert.severity.WARN)
    local wrong = ProtoExpert.new("dictofun.wrong", "Dictofun: a number that cannot be right", expert.group.PROTOCOL,
      expert.severity.WARN)
    dictofun.experts = { short, unknown, extra, wrong }

    local made = {}  -- fields by their names in display filters
    local named = {} -- the same, in the order in which they were made

    local function make(name, create)
      if not made[name] then
        made[name] = create(name)
        named[#named + 1] = made[name]
      end
      return made[name]
    end

    -- Gives every part a field that can be shown and filtered for; equal names share one.
    local function prepare(prefix, fields)
      for _, field in ipairs(fields) do
        local name = prefix .. "." .. field.key
        if field.kind == "choice" then
          local words = {}
          for value, choice in pairs(field.values) do
            words[value] = choice.name
            prepare(prefix, choice.fields)
          end
          field.shown = make(name, function(n) return ProtoField.uint8(n, field.name, base.HEX, words) end)
        elseif field.kind == "number" or field.kind == "length" then
          local kinds = { ProtoField.uint8, ProtoField.uint16, nil, ProtoField.uint32 }
          field.shown = make(name, function(n) return kinds[field.octets](n, field.name, base.DEC) end)
        elseif field.kind == "text" then
          field.shown = make(name, function(n) return ProtoField.string(n, field.name) end)
        elseif field.kind == "rest" then
          field.shown = make(name, function(n) return ProtoField.bytes(n, field.name) end)
        elseif field.kind == "object" then
          field.shown = make(name, function(n) return ProtoField.string(n, field.name) end)
          for _, member in ipairs(field.members) do
            member.shown = make(prefix .. "." .. member.key,
              function(n) return ProtoField.uint32(n, member.name, base.DEC) end)
          end
        elseif field.kind == "repeated" then
          prepare(prefix, field.fields)
        end
      end
    end

    -- Shows the members of a JSON object that are numbers which fit.
    local function show_members(field, range, tree)
      local text = range:raw()
      for _, member in ipairs(field.members) do
        local digits = text:match('"' .. member.member .. '"%s*:%s*(%d+)')
        local value = digits and #digits <= 10 and tonumber(digits)
        if value and value <= 0xFFFFFFFF then tree:add(member.shown, range, value) end
      end
    end

    local walk

    -- Shows one part that begins at `at`; returns where the next begins, or nil where nothing can follow.
    local function show(field, tvb, at, tree, words)
      local left = tvb:len() - at
      if field.kind == "repeated" then
        local count = 0
        -- What each of them holds stands in the tree; the line only counts them.
        while at and at < tvb:len() do
          at = walk(field.fields, tvb, at, tree, {})
          if at then count = count + 1 end
        end
        words[#words + 1] = count .. " " .. (count == 1 and field.name:gsub("s$", "") or field.name) .. " present"
        return at
      end
      local octets = field.octets or left
      if left < octets then
        tree:add_proto_expert_info(short, field.name .. " needs " .. octets .. " octets, " .. left .. " are there")
        return nil
      end
      if octets == 0 then return at end
      local range = tvb(at, octets)
      if field.kind == "text" or field.kind == "rest" then
        tree:add(field.shown, range)
      elseif field.kind == "object" then
        show_members(field, range, tree:add(field.shown, range))
      else
        local value = range:le_uint()
        local item = tree:add_le(field.shown, range)
        if field.unit and field.unit ~= "" then item:append_text(" " .. field.unit) end
        local due = field.kind == "length" and (field.counts_itself and left or left - octets)
        if due and due ~= value then
          item:add_proto_expert_info(wrong, field.name .. " is " .. value .. " instead of " .. due)
        elseif field.maximum and value > field.maximum then
          item:add_proto_expert_info(wrong, field.name .. " is " .. value .. ", more than " .. field.maximum)
        end
        if field.kind == "number" and field.octets == 4 then
          local unit = field.unit and field.unit ~= "" and " " .. field.unit or ""
          if field.name ~= "reserved" then words[#words + 1] = field.name .. " " .. value .. unit end
        end
        if field.kind == "choice" then
          local choice = field.values[value]
          if not choice then
            item:add_proto_expert_info(unknown)
            return nil
          end
          words[#words + 1] = choice.name
          return walk(choice.fields, tvb, at + octets, tree, words)
        end
      end
      return at + octets
    end

    walk = function(fields, tvb, at, tree, words)
      for _, field in ipairs(fields) do
        at = show(field, tvb, at, tree, words)
        if not at then return nil end
      end
      return at
    end

    local types = DissectorTable.get("bluetooth.uuid")
    local handles = DissectorTable.get("btatt.handle")

    for _, characteristic in ipairs(characteristics) do
      local name = "dictofun." .. characteristic.key
      local protocol = Proto(name, "Dictofun " .. characteristic.name)
      prepare(name, characteristic.fields)
      protocol.dissector = function(tvb, pinfo, tree)
        local length = tvb:len()
        local item = tree:add(dictofun, tvb(), "Dictofun " .. characteristic.name)
        local words = { characteristic.name }
        if length > 0 then
          local at = walk(characteristic.fields, tvb, 0, item, words)
          if at and at < length then item:add_proto_expert_info(extra, (length - at) .. " octets are left over") end
        end
        local fact = words[2] and table.concat(words, ", ", 2) or length .. " octets"
        item:append_text(": " .. fact)
        pinfo.cols.info:prepend("Dictofun " .. characteristic.name .. ": " .. fact .. " | ")
        return length
      end
      characteristic.protocol = protocol
      if characteristic.is_ours then types:add(characteristic.uuid, protocol) end
      handles:add_for_decode_as(protocol)
    end
    dictofun.fields = named

    -- The remarks between the packets, which Wireshark shows in the tree, in the column too.
    local note = Field.new("hci_mon.system_note")
    local remarks = Proto("dictofun_remarks", "Dictofun remarks")
    remarks.dissector = function(tvb, pinfo, tree)
      local found = note()
      if found then pinfo.cols.info:set(tostring(found)) end
    end
    register_postdissector(remarks)

    dictofun.prefs.by_handle = Pref.bool("Know values by their handles", false,
      "For captures that begin after the phone discovered the recorder's characteristics")
    for _, characteristic in ipairs(characteristics) do
      if characteristic.handle then
        dictofun.prefs[characteristic.key] = Pref.uint("Handle of " .. characteristic.name, characteristic.handle,
          "Where its value stands; the preset is that of Dictofun's firmware")
      end
    end

    function dictofun.prefs_changed()
      for _, characteristic in ipairs(characteristics) do
        if characteristic.taken then
          handles:remove(characteristic.taken, characteristic.protocol)
          characteristic.taken = nil
        end
        local handle = characteristic.handle and dictofun.prefs[characteristic.key]
        if dictofun.prefs.by_handle and handle and handle > 0 and handle <= 0xFFFF then
          handles:add(handle, characteristic.protocol)
          characteristic.taken = handle
        end
      end
    end
    """#
}
