alter type link_source add value 'alias';
